// --record of the real program: what commands write as files, for their owner alone, and in nobody's way.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { readOnly } from '@codex/sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';

const SERVE = ['serve', '--no-config', '--listen', 'ws://127.0.0.1:0', '--quiet'];

function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'exec-recordings-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function casts(folder: string): { name: string; text: string; lines: unknown[][] }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.cast'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return {
        name,
        text,
        lines: text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown[]),
      };
    });
}

const written = (lines: readonly unknown[][]): string =>
  lines
    .slice(1)
    .flatMap(([, code, data]) => (code === 'o' ? [data] : []))
    .join('');

it('has every byte of a command and how it ended, also of one whose client left at once', async () => {
  const folder = join(newFolder(), 'new');
  await using program = new ExecServerProgram([...SERVE, '--record', folder]);
  const url = await program.url();
  const client = await ExecServerClient.connect(url);
  await client.run('seq 1 3000; echo grüße >&2; exit 3');
  const shell = await client.spawn('printf "\\033[1mready\\033[0m\\n"; read x; exit 0', {
    tty: { rows: 10, cols: 40 },
  });
  await shell.waitFor('ready');
  await shell.resize({ rows: 20, cols: 60 });
  await shell.stdin.write('\n');
  await shell.wait();
  const hasty = await ExecServerClient.connect(url);
  await hasty.run(['echo', 'hasty', '--token', 'abcdef123456']);
  await Promise.all([client.close(), hasty.close()]);
  await expect.poll(() => casts(folder).filter(({ text }) => text.includes('"x"')).length).toBe(3);
  const [numbers, terminal, left] = casts(folder);
  const expected = execFileSync('seq', ['1', '3000'], { encoding: 'utf8' }).replaceAll('\n', '\r\n');
  expect(written(numbers?.lines ?? [])).toBe(`${expected}grüße\r\n`);
  expect(numbers?.lines.at(-1)?.slice(1)).toEqual(['x', '3']);
  expect(terminal?.lines[0]).toMatchObject({ version: 3, term: { cols: 40, rows: 10 } });
  expect(terminal?.lines.slice(1).some(([, code, data]) => code === 'r' && data === '60x20')).toBe(true);
  expect(terminal?.text).toContain('\\u001b[1mready');
  expect(left?.text).toContain('"hasty --token abcdef123456');
  // What is masked elsewhere is masked in the title.
  expect(left?.lines[0]).toMatchObject({ title: 'echo hasty --token ***' });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const { name } of casts(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
});

it('is kept from sandboxed commands, and within its limits', async () => {
  const folder = newFolder();
  const limits = ['--recorded-bytes', '30000', '--recorded-bytes-per-process', '10000'];
  await using program = new ExecServerProgram([...SERVE, '--record', folder, ...limits]);
  const client = await ExecServerClient.connect(await program.url());
  await client.run(['echo', 'the first']);
  await client.run('head -c 100000 /dev/zero | tr "\\0" x');
  const peeking = await client.run(`cat ${folder}/*; ls ${folder}`, { sandbox: readOnly() });
  expect(peeking.stdout.text).not.toContain('the first');
  for (let index = 0; index < 40; index++) await client.run(`echo ${'y'.repeat(900)}`);
  await client.run(['echo', 'the last']);
  await client.close();
  await expect.poll(() => casts(folder).some(({ text }) => text.includes('the last'))).toBe(true);
  const all = casts(folder);
  expect(all.some(({ text }) => text.includes('the first'))).toBe(false);
  expect(all.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(30_000);
});

it('that cannot be written is told, and stops nothing', async ({ skip }) => {
  const disk = join(newFolder(), 'disk');
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    skip('a small disk cannot be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', [disk]));
  await using program = new ExecServerProgram([...SERVE, '--record', disk]);
  const client = await ExecServerClient.connect(await program.url());
  const much = await client.run('head -c 300000 /dev/zero | tr "\\0" z; echo end');
  expect(much.stdout.text.endsWith('zend\n')).toBe(true);
  await program.stderrIncludes('output cannot be recorded');
  expect(program.stderr).toContain('ENOSPC');
  expect((await client.run(['echo', 'goes on'])).stdout.text).toBe('goes on\n');
  await client.close();
});

it('is not begun where the folder cannot be used', async () => {
  await using program = new ExecServerProgram([...SERVE, '--record', '/proc/recordings']);
  expect((await program.exited).code).not.toBe(0);
  expect(program.stderr).toContain('`--record`');
});
