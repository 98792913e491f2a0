// `-` as one side of a copy.
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CodexCommand, codex } from './support/codex-command.js';
import { ExecServerProgram } from './support/exec-server-program.js';
import { InstalledCommand } from './support/installed-command.js';

let server: ExecServerProgram;
let url: string;
beforeAll(async () => {
  server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0', '--quiet']);
  url = await server.url();
});
afterAll(() => server[Symbol.asyncDispose]());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'exec-server-cp-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Whether a copy catches signals by now. By SIGHUP: Node itself catches SIGTERM from the start. */
function catchesHangup(pid: number | undefined): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${caught}`) & (1n << BigInt(constants.signals.SIGHUP - 1))) !== 0n;
}

describe.each(['in this process', 'behind a websocket'])('exec-server cp with a server %s', (where) => {
  const flags = () => (where === 'in this process' ? [] : ['--url', url]);
  const cp = (args: readonly string[], input?: Uint8Array) =>
    codex(['cp', ...flags(), ...args], { cwd: folder, ...(input === undefined ? {} : { input }) });

  it('takes the standard input byte for byte', async () => {
    const data = randomBytes(3_000_000);
    expect(await cp(['-', `:${folder}/in`], data)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'in')).equals(data)).toBe(true);
    expect(readdirSync(folder)).toEqual(['in']);
  });

  it('writes the standard output byte for byte, and nothing else to it', async () => {
    const data = randomBytes(3_000_000);
    writeFileSync(join(folder, 'out'), data);
    const { code, stdout } = await cp([`:${folder}/out`, '-']);
    expect(code).toBe(0);
    expect(stdout.equals(data)).toBe(true);
  });

  it('does not replace without --force, nor guess a name', async () => {
    writeFileSync(join(folder, 'there'), 'old');
    expect((await cp(['-', `:${folder}/there`], Buffer.from('new'))).stderr).toContain('exists already');
    expect(readFileSync(join(folder, 'there'), 'utf8')).toBe('old');
    expect(await cp(['--force', '-', `:${folder}/there`], Buffer.from('new'))).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'there'), 'utf8')).toBe('new');
    mkdirSync(join(folder, 'dir'));
    expect((await cp(['-', `:${folder}/dir`])).stderr).toContain(
      'say under which name the input is to be stored',
    );
    expect((await cp(['--recursive', `:${folder}/dir`, '-'])).stderr).toContain('the output takes a file');
  });

  it.each([5, 3_000_000])('leaves nothing of an input that is interrupted after %d bytes', async (bytes) => {
    const command = new CodexCommand(['cp', ...flags(), '-', `:${folder}/half`], {
      cwd: folder,
      input: null,
    });
    command.child.stdin?.write(Buffer.alloc(bytes));
    // What is small is sent as a whole, and is not there before its end.
    while (bytes < 1024 * 1024 ? !catchesHangup(command.child.pid) : readdirSync(folder).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
    command.child.kill('SIGTERM');
    expect(await command.end).toMatchObject({ code: 143 });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('copies a file that is called - when it is written ./-', async () => {
    writeFileSync(join(folder, '-'), 'dash');
    expect(await cp(['./-', `:${folder}/copy`])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'copy'), 'utf8')).toBe('dash');
    expect(existsSync(join(folder, 'copy'))).toBe(true);
  });
});

it('ends quietly when the reader of its output leaves', () => {
  using installed = new InstalledCommand();
  const file = join(folder, 'large');
  writeFileSync(file, Buffer.alloc(8_000_000));
  const { stdout, stderr } = installed.bash(
    `exec-server cp :${file} - | head -c 3; echo "\${PIPESTATUS[0]}"`,
  );
  expect({ stdout: stdout.replaceAll('\0', '0'), stderr }).toEqual({ stdout: '000141\n', stderr: '' });
});
