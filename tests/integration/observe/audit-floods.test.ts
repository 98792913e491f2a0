// What strangers and a full disk do to the journal and its file: little.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecObserver, ExecServerClient } from '@codex/exec-client';
import { expect, it, onTestFinished } from 'vitest';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';

const SERVE = ['serve', '--no-config', '--listen', 'ws://127.0.0.1:0', '--quiet'];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'exec-audit-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function linesOf(path: string): Record<string, unknown>[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('who is refused a thousand times neither fills the file nor pushes out what happened', async () => {
  const path = join(folder(), 'audit.jsonl');
  await using program = new ExecServerProgram([...SERVE, '--audit-log', path, '--journal-events', '200']);
  const url = await program.url();
  const client = await ExecServerClient.connect(url);
  await client.run(['echo', 'before the flood']);
  const page = { headers: { Origin: 'http://evil.example', Connection: 'Upgrade', Upgrade: 'websocket' } };
  const address = url.replace('ws:', 'http:');
  for (let done = 0; done < 1000; done += 50)
    await Promise.all(Array.from({ length: 50 }, () => fetch(address, page).catch(() => undefined)));
  await using observer = await ExecObserver.connect(url);
  const { events } = await observer.readJournal();
  expect(
    events.some((event) => event.kind === 'processStarted' && event.argv[1] === 'before the flood'),
  ).toBe(true);
  await expect.poll(() => linesOf(path).some(({ kind }) => kind === 'processGone')).toBe(true);
  // Twenty at once and one each second are told; a flood of some seconds has not many more.
  expect(linesOf(path).filter(({ kind }) => kind === 'connectionRefused').length).toBeLessThan(60);
  await client.close();
});

it('a disk that was full and has room again has whole lines, in order', async ({ skip }) => {
  const disk = join(folder(), 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    skip('a small disk cannot be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  const [path, ballast] = [join(disk, 'audit.jsonl'), join(disk, 'ballast')];
  writeFileSync(ballast, Buffer.alloc(40_000));
  await using program = new ExecServerProgram([...SERVE, '--audit-log', path]);
  const client = await ExecServerClient.connect(await program.url());
  for (let index = 0; index < 60; index++) await client.run(['echo', String(index), 'x'.repeat(500)]);
  await program.stderrIncludes('the audit log cannot be written');
  expect((await client.run(['echo', 'goes on'])).stdout.text).toBe('goes on\n');
  rmSync(ballast);
  const started = (): unknown[] =>
    linesOf(path).flatMap(({ kind, argv }) => (kind === 'processStarted' ? [(argv as string[])[1]] : []));
  // Every line can be read, nothing is there twice, and nothing that waited is lost.
  await expect.poll(() => started().length).toBeGreaterThan(25);
  const seen = started();
  expect(seen).toEqual(seen.map((_, index) => String(index)));
  await client.close();
});
