// What callers may rely on beyond the happy path, on real servers.

import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { ExecServerClient, type SandboxOption } from '@codex/exec-client';
import { fullAccess, readOnly, workspaceWrite } from '@codex/sandbox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { describeOnEveryTarget } from './support/targets.js';

describeOnEveryTarget('manners of the client', (suite) => {
  it('a timeout is an outcome, however many run at once', async () => {
    const client = await suite.connect();
    const running = Array.from({ length: 300 }, () =>
      client.run(['sleep', '60'], { timeoutMs: 150, stop: { interruptFirst: false } }),
    );
    const kinds = (await Promise.all(running)).map(({ outcome }) => outcome);
    for (const outcome of kinds) expect(outcome).toEqual({ kind: 'timedOut', exitCode: 137, timeoutMs: 150 });
  });

  it('refuses wrong options before anything is sent', async () => {
    const client = await suite.connect();
    const wrong = { timeout: 5 } as object;
    await expect(client.run('true', wrong)).rejects.toThrow('did you mean `timeoutMs`?');
    await expect(client.spawn('true', wrong)).rejects.toThrow('did you mean `timeoutMs`?');
    await expect(ExecServerClient.connect(suite.target().address, wrong)).rejects.toThrow(
      'did you mean `connectTimeoutMs`?',
    );
    const argv: string[] = ['echo', 'a list'];
    expect(await client.run(argv).text()).toBe('a list\n');
  });

  it('refuses wrong options of every method, and the process does not notice', async () => {
    const client = await suite.connect();
    const shell = await client.spawn('cat', { stdin: 'pipe' });
    const wrong = { timeout: 5 } as object;
    const refused = { code: 'argument.invalid', details: { argument: 'timeout' } };
    await expect(shell.waitFor('x', wrong)).rejects.toMatchObject(refused);
    await expect(shell.wait(wrong)).rejects.toMatchObject(refused);
    await expect(shell.stop(wrong)).rejects.toMatchObject(refused);
    await expect(shell.interact('lost\n', { ms: 1, ...wrong })).rejects.toMatchObject(refused);
    await expect(shell.stdin.write('lost\n', wrong)).rejects.toMatchObject(refused);
    expect(() => shell.stdout.lines(wrong)).toThrow(expect.objectContaining(refused));
    await expect(client.fs.stat('/', wrong)).rejects.toMatchObject(refused);
    await expect(client.attach(shell.id, wrong)).rejects.toMatchObject(refused);
    await shell.stdin.write('kept\n');
    await shell.waitFor('kept');
    await shell.stop();
    expect(shell.peek().stdout.text).toBe('kept\n');
  });

  it('keeps secrets of the server from a command unless it asks for them', async () => {
    const client = await suite.connect();
    const names = ['PGPASSWORD', 'MY_DATABASE_URL', 'SSH_AUTH_SOCK', 'GITHUB_PAT', 'PLAIN_NAME'];
    for (const name of names) process.env[name] = `value of ${name}`;
    try {
      const print = names.map((name) => `echo "$${name}"`).join('; ');
      const hidden = await client.run(print);
      expect(hidden.stdout.lines).toEqual(['', '', '', '', 'value of PLAIN_NAME']);
      const given = await client.run('echo "$PGPASSWORD"', { env: { PGPASSWORD: 'given' } }).text();
      expect(given).toBe('given\n');
      const all = await client.run(print, { inheritEnv: { ignoreDefaultExcludes: true } });
      expect(all.stdout.lines).toEqual(names.map((name) => `value of ${name}`));
    } finally {
      for (const name of names) Reflect.deleteProperty(process.env, name);
    }
  });

  it('lists the processes of the session and asks anything by name', async () => {
    const client = await suite.connect();
    if (!client.supports('process.list')) return;
    await using sleeper = await client.spawn(['sleep', '60'], { cwd: '/' });
    expect(await client.processes()).toMatchObject([
      { id: sleeper.id, command: 'sleep 60', cwd: '/', tty: false, state: 'running' },
    ]);
    expect(await client.call('environment/status', null)).toEqual({ status: 'ready' });
  });

  it('never makes an upload more readable than its source, and says what it left out', async () => {
    const client = await suite.connect();
    const directory = suite.directory();
    mkdirSync(`${directory}/from/private`, { recursive: true });
    writeFileSync(`${directory}/from/secret`, 'x'.repeat(2_000_000));
    writeFileSync(`${directory}/from/private/key`, 'k');
    writeFileSync(`${directory}/from/public`, 'p');
    symlinkSync('/nowhere', `${directory}/from/out`);
    chmodSync(`${directory}/from/secret`, 0o600);
    chmodSync(`${directory}/from/private`, 0o700);
    chmodSync(`${directory}/from/public`, 0o644);
    const summary = await client.fs.upload(`${directory}/from`, `${directory}/to`);
    expect(summary).toEqual({
      files: 3,
      bytes: 2_000_002,
      skipped: [{ path: 'out', why: client.supports('fs.trees') ? 'linkLeadsOut' : 'brokenLink' }],
    });
    const mode = (path: string) => statSync(`${directory}/${path}`).mode & 0o777;
    expect([mode('to/secret'), mode('to/private'), mode('to/public')]).toEqual([0o600, 0o700, 0o644]);
    chmodSync(`${directory}/to/secret`, 0o644);
    await client.fs.upload(`${directory}/from/secret`, `${directory}/to/secret`);
    expect(mode('to/secret')).toBe(0o600);
  });

  it('takes the policies of @codex/sandbox', async () => {
    const client = await suite.connect();
    const cwd = suite.directory();
    const touch = (sandbox: SandboxOption) => client.run('echo x > here', { cwd, sandbox });
    const denied = await touch(readOnly());
    expect(denied.outcome.kind).toBe('denied');
    if (denied.outcome.kind === 'denied' && denied.outcome.denial.reason !== undefined) {
      expect(denied.outcome.denial).toMatchObject({
        reason: 'read_only_file_system',
        line: expect.stringContaining('here'),
      });
    }
    expect((await touch(workspaceWrite())).ok).toBe(true);
    expect((await touch(fullAccess())).ok).toBe(true);
    await expect(client.fs.write(`${cwd}/y`, '', { sandbox: readOnly() })).rejects.toMatchObject({
      code: 'fs.denied',
    });
    await expect(touch(readOnly({ network: 'loopback' }))).rejects.toMatchObject({
      code: 'argument.invalid',
    });
  });
});

describe('the types', () => {
  it('of a policy are those of @codex/sandbox', () => {
    expectTypeOf<ReturnType<typeof readOnly>>().toExtend<SandboxOption>();
    expectTypeOf<ReturnType<typeof workspaceWrite>>().toExtend<SandboxOption>();
  });
});
