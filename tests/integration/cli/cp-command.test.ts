import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CodexCommand, codex } from './support/codex-command.js';
import { ExecServerProgram } from './support/exec-server-program.js';

let server: ExecServerProgram;
let url: string;
beforeAll(async () => {
  server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0', '--quiet']);
  url = await server.url();
});
afterAll(() => server[Symbol.asyncDispose]());

// Both sides are this machine; the folders keep them apart.
let here: string;
let there: string;
beforeEach(() => {
  here = mkdtempSync(join(tmpdir(), 'codex-cp-here-'));
  there = mkdtempSync(join(tmpdir(), 'codex-cp-there-'));
});
afterEach(() => {
  for (const folder of [here, there]) rmSync(folder, { recursive: true, force: true });
});

function makeTree(root: string): void {
  mkdirSync(join(root, 'sub', 'deep'), { recursive: true });
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'a name'), 'a');
  writeFileSync(join(root, 'sub', 'b'), randomBytes(2_500_000));
  writeFileSync(join(root, 'sub', 'deep', 'nothing'), '');
  symlinkSync('../a name', join(root, 'sub', 'link'));
}

/** Paths with their contents; links as what they lead to. */
function contents(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const full = join(root, path);
    found[path] = statSync(full).isDirectory() ? 'directory' : readFileSync(full).toString('base64');
  }
  return found;
}

describe.each(['in this process', 'behind a websocket'])('exec-server cp with a server %s', (where) => {
  const cp = (...args: string[]) =>
    codex(['cp', ...(where === 'in this process' ? [] : ['--url', url]), ...args], { cwd: here });

  it('copies a file there and back', async () => {
    const bytes = randomBytes(3_000_000);
    writeFileSync(join(here, 'file'), bytes);
    const up = await cp('file', `:${there}/copy`);
    expect(up).toMatchObject({ code: 0 });
    expect(up.stderr).toMatch(/^copied 1 file, 3\.0 MB in \d+\.\d s to .*\/copy\n$/);
    expect(readFileSync(join(there, 'copy')).equals(bytes)).toBe(true);
    expect(await cp('--quiet', `:${there}/copy`, 'back')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(here, 'back')).equals(bytes)).toBe(true);
  });

  it('keeps private what is private, and says what it leaves out', async () => {
    mkdirSync(join(here, 'tree', 'private'), { recursive: true });
    writeFileSync(join(here, 'tree', 'key'), 'k', { mode: 0o600 });
    chmodSync(join(here, 'tree', 'private'), 0o700);
    symlinkSync('nowhere', join(here, 'tree', 'broken'));
    symlinkSync('/etc/hostname', join(here, 'tree', 'out'));
    const mode = (path: string) => statSync(join(there, path)).mode & 0o777;
    const up = await cp('-r', 'tree', `:${there}/up`);
    expect(up).toMatchObject({ code: 0 });
    expect(up.stderr).toContain('left out out: a link that leads out of the tree');
    expect(readdirSync(join(there, 'up')).sort()).toEqual(['broken', 'key', 'private']);
    expect(readlinkSync(join(there, 'up', 'broken'))).toBe('nowhere');
    expect([mode('up/key'), mode('up/private')]).toEqual([0o600, 0o700]);
    chmodSync(join(there, 'up', 'key'), 0o644);
    expect(await cp('--force', 'tree/key', `:${there}/up/key`)).toMatchObject({ code: 0 });
    expect(mode('up/key')).toBe(0o600);
  });

  it('copies directories with --recursive only, and into one that exists', async () => {
    makeTree(join(here, 'tree'));
    expect(await cp('tree', `:${there}/up`)).toMatchObject({
      code: 1,
      stderr: 'exec-server cp: tree is a directory; copy it with --recursive\n',
    });
    expect(readdirSync(there)).toEqual([]);
    expect((await cp('-r', 'tree', `:${there}/up`)).code).toBe(0);
    expect(contents(join(there, 'up'))).toEqual(contents(join(here, 'tree')));
    expect((await cp('-r', `:${there}/up`, '.')).code).toBe(0);
    expect(contents(join(here, 'up'))).toEqual(contents(join(here, 'tree')));
    expect((await cp(`:${there}/up/sub`, 'sub')).stderr).toContain('copy it with --recursive');
  });

  it('overwrites only with --force', async () => {
    writeFileSync(join(here, 'file'), 'new');
    writeFileSync(join(there, 'file'), 'old');
    const up = await cp('file', `:${there}`);
    expect(up).toMatchObject({
      code: 1,
      stderr: `exec-server cp: ${there}/file exists already; --force replaces it\n`,
    });
    expect(readFileSync(join(there, 'file'), 'utf8')).toBe('old');
    const down = await cp(`:${there}/file`, 'file');
    expect(down).toMatchObject({
      code: 1,
      stderr: 'exec-server cp: file exists already; --force replaces it\n',
    });
    expect(readFileSync(join(here, 'file'), 'utf8')).toBe('new');
    expect((await cp('--force', 'file', `:${there}/file`)).code).toBe(0);
    expect(readFileSync(join(there, 'file'), 'utf8')).toBe('new');
    writeFileSync(join(there, 'file'), 'newest');
    expect((await cp('--force', `:${there}/file`, 'file')).code).toBe(0);
    expect(readFileSync(join(here, 'file'), 'utf8')).toBe('newest');
  });

  it('merges trees with --force, and never a file with a directory', async () => {
    makeTree(join(here, 'tree'));
    mkdirSync(join(there, 'tree'));
    writeFileSync(join(there, 'tree', 'a name'), 'old');
    writeFileSync(join(there, 'tree', 'kept'), 'kept');
    expect((await cp('-r', 'tree', `:${there}`)).code).toBe(1);
    expect((await cp('-rf', 'tree', `:${there}`)).code).toBe(0);
    const expected = { ...contents(join(here, 'tree')), kept: Buffer.from('kept').toString('base64') };
    expect(contents(join(there, 'tree'))).toEqual(expected);
    expect((await cp('-rf', `:${there}/tree`, '.')).code).toBe(0);
    expect(contents(join(here, 'tree'))).toEqual(expected);
    writeFileSync(join(there, 'plain'), '');
    expect((await cp('-rf', 'tree', `:${there}/plain`)).stderr).toContain('is a file');
  });

  it('says in one sentence what cannot be copied, and leaves nothing', async () => {
    writeFileSync(join(here, 'file'), 'x');
    const cases: [string[], string][] = [
      [['missing', `:${there}/x`], 'missing: no such file or directory'],
      [[`:${there}/missing`, 'x'], `${there}/missing: No such file or directory`],
      [['file', `:${there}/no/x`], `${there}/no/x: No such file or directory`],
      [[`:${there}`, 'no/x', '-r'], 'no: no such directory'],
      [['file', 'x'], 'both paths are here'],
      [[`:${there}/x`, ':y'], 'both paths are on a server'],
      [['file', 'ws://127.0.0.1:1'], 'an address needs a path behind it'],
      [['/dev/null', `:${there}/x`], 'neither a file nor a directory'],
      [[':/dev/zero', 'x'], 'neither a file nor a directory'],
    ];
    for (const [args, text] of cases) {
      const { code, stderr } = await cp(...args);
      expect(stderr).toMatch(/^exec-server cp: [^\n]+\n$/);
      expect(stderr).toContain(text);
      expect(code).toBe(1);
    }
    expect([readdirSync(here), readdirSync(there)]).toEqual([['file'], []]);
  });

  it('leaves nothing half when it is interrupted', async () => {
    writeFileSync(join(here, 'large'), Buffer.alloc(400_000_000));
    const args = ['cp', ...(where === 'in this process' ? [] : ['--url', url]), 'large', `:${there}/copy`];
    const command = new CodexCommand(args, { cwd: here });
    while (readdirSync(there).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(existsSync(join(there, 'copy'))).toBe(false);
    command.child.kill('SIGINT');
    expect((await command.end).code).toBe(130);
    expect(readdirSync(there)).toEqual([]);
  });
});

describe('exec-server cp', () => {
  it('takes the address with the path', async () => {
    writeFileSync(join(here, 'file'), 'x');
    expect((await codex(['cp', 'file', `${url}:${there}/copy`], { cwd: here })).code).toBe(0);
    expect((await codex(['cp', `${url}:${there}/copy`, 'back'], { cwd: here })).code).toBe(0);
    expect(readFileSync(join(here, 'back'), 'utf8')).toBe('x');
  });

  it('ends with 2 on wrong flags', async () => {
    expect(await codex(['cp', '--no-such-flag', 'a', ':b'])).toMatchObject({ code: 2 });
    expect(await codex(['cp', 'a'])).toMatchObject({ code: 2 });
  });
});
