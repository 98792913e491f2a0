// The audit log and the metrics of the real program.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';

const directory = mkdtempSync(join(tmpdir(), 'exec-records-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const SERVE = ['serve', '--no-config', '--listen', 'ws://127.0.0.1:0', '--quiet'];

function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('--audit-log', () => {
  it('says who ran what, when, where, for which call, and how it ended; without secrets', async () => {
    const path = join(directory, 'audit.jsonl');
    await using program = new ExecServerProgram([...SERVE, '--audit-log', path]);
    const client = await ExecServerClient.connect(await program.url(), { clientName: 'auditor' });
    await client.run(['/bin/sh', '-c', 'exit 6', '--password', 'hunter2-hunter2'], {
      cwd: '/tmp',
      env: { SECRET_VALUE: 'never-in-the-log' },
      metadata: { threadId: 't7', toolCallId: 'c8' },
    });
    const { sessionId } = client;
    await client.close();
    await expect.poll(() => linesOf(path).some(({ kind }) => kind === 'processGone')).toBe(true);
    const lines = linesOf(path);
    const started = lines.find(({ kind }) => kind === 'processStarted');
    expect(started).toMatchObject({
      clientName: 'auditor',
      identity: `local:${process.getuid?.() ?? ''}`,
      argv: ['/bin/sh', '-c', 'exit 6', '--password', '***'],
      cwd: '/tmp',
      sandboxType: 'none',
      metadata: { threadId: 't7', toolCallId: 'c8' },
    });
    expect(String(started?.['session'])).toMatch(/^s-/);
    expect(Date.parse(String(started?.['time']))).toBeGreaterThan(Date.now() - 600_000);
    expect(lines.find(({ kind }) => kind === 'processExited')).toMatchObject({
      exitCode: 6,
      clientName: 'auditor',
    });
    const text = readFileSync(path, 'utf8');
    for (const secret of [sessionId, 'hunter2', 'never-in-the-log']) expect(text).not.toContain(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is written to the end when the server is told to stop', async () => {
    const path = join(directory, 'stopped.jsonl');
    await using program = new ExecServerProgram([...SERVE, '--audit-log', path]);
    const client = await ExecServerClient.connect(await program.url());
    await client.spawn(['sleep', '60']);
    program.child.kill('SIGTERM');
    expect((await program.exited).code).toBe(0);
    expect(linesOf(path).map(({ kind }) => kind)).toContain('sessionEnded');
    await client.close();
  });

  it('and recordings are out of reach of sandboxed commands, also where they lie in the workspace', async () => {
    const workspace = mkdtempSync('/var/tmp/exec-records-');
    onTestFinished(() => rmSync(workspace, { recursive: true }));
    const [log, casts] = [join(workspace, 'logs', 'audit.jsonl'), join(workspace, 'casts')];
    mkdirSync(join(workspace, 'logs'));
    await using program = new ExecServerProgram([...SERVE, '--audit-log', log, '--record', casts]);
    const client = await ExecServerClient.connect(await program.url());
    const script = `echo '{}' > logs/audit.jsonl; rm -r logs casts; mv logs other; mv casts other; ln -s / casts/x; touch made; ls`;
    const sandbox = workspaceWrite({ temporaryDirectories: false });
    const { stdout } = await client.run(['/bin/sh', '-c', script], { cwd: workspace, sandbox });
    expect(stdout.text).toBe('casts\nlogs\nmade\n');
    await client.close();
    await expect.poll(() => linesOf(log).some(({ kind }) => kind === 'processGone')).toBe(true);
    expect(linesOf(log).map(({ kind }) => kind)).toContain('sessionOpened');
    expect(readdirSync(casts)).toHaveLength(1);
  });

  it('that cannot be written is told, and stops nothing', async () => {
    await using program = new ExecServerProgram([...SERVE, '--audit-log', '/dev/full']);
    const client = await ExecServerClient.connect(await program.url());
    expect((await client.run(['echo', 'goes on'])).stdout.text).toBe('goes on\n');
    await program.stderrIncludes('the audit log cannot be written');
    expect(program.stderr).toContain('ENOSPC');
    expect((await client.run(['echo', 'and on'])).stdout.text).toBe('and on\n');
    await client.close();
    program.child.kill('SIGTERM');
    expect((await program.exited).code).toBe(0);
  });

  it('that cannot be opened is refused before anything is served', async () => {
    await using program = new ExecServerProgram([
      ...SERVE,
      '--audit-log',
      join(directory, 'no', 'such', 'log'),
    ]);
    expect((await program.exited).code).toBe(1);
    expect(program.stderr).toContain('`--audit-log`');
    expect(program.stdout).toBe('');
  });
});

describe('--metrics-listen', () => {
  it('serves counts in the text of Prometheus, to its own user and under its own name', async () => {
    await using program = new ExecServerProgram([
      ...SERVE,
      '--metrics-listen',
      'http://127.0.0.1:0',
      '--log-level',
      'info',
    ]);
    const url = await program.url();
    const metrics = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(program.stderr)?.[0] ?? '';
    const client = await ExecServerClient.connect(url);
    await client.run(['false']).catch(() => undefined);
    const page = await (await fetch(metrics)).text();
    expect(page).toMatch(/^exec_server_connections_active\{transport="websocket"\} 1$/m);
    expect(page).toMatch(/^exec_server_requests_total\{method="process\/start",result="success"\} 1$/m);
    expect(page).toMatch(/^exec_server_processes_finished_total\{result="error"\} 1$/m);
    expect(page).toMatch(/^exec_server_process_duration_seconds_count\{result="error"\} 1$/m);
    const fromPage = await fetch(metrics, { headers: { Origin: 'http://evil.example' } });
    expect(fromPage.status).toBe(403);
    expect((await fetch(metrics.replace('/metrics', '/'))).status).toBe(404);
    expect((await fetch(metrics, { method: 'POST' })).status).toBe(405);
    // The port of the commands has none.
    expect((await fetch(url.replace('ws:', 'http:').concat('/metrics'))).status).toBe(404);
    await client.close();
  });

  it('asks for the token where the server does', async () => {
    const { createHash } = await import('node:crypto');
    const digest = createHash('sha256').update('open-sesame').digest('hex');
    await using program = new ExecServerProgram([
      ...SERVE,
      ...['--ws-auth', 'capability-token', '--ws-token-sha256', digest],
      ...['--metrics-listen', 'http://127.0.0.1:0', '--log-level', 'info'],
    ]);
    await program.url();
    const metrics = /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(program.stderr)?.[0] ?? '';
    expect((await fetch(metrics)).status).toBe(401);
    const answer = await fetch(metrics, { headers: { Authorization: 'Bearer open-sesame' } });
    expect(answer.status).toBe(200);
  });

  it('that makes no sense is refused', async () => {
    await using program = new ExecServerProgram([...SERVE, '--metrics-listen', 'ws://127.0.0.1:1/x']);
    expect((await program.exited).code).toBe(1);
    expect(program.stderr).toContain('`--metrics-listen` is http://IP:PORT');
  });
});
