// What a sandbox puts right on the host stays where it belongs, although another process moves directories meanwhile and
// puts links in their place.
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareSandbox, type SandboxPolicy, workspaceWrite } from '@codex/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SandboxUser } from './support/sandbox-user.js';

let base: string;
let ws: string;
let victim: string;
beforeEach(() => {
  base = mkdtempSync('/var/tmp/sandbox-test-');
  ws = `${base}/ws`;
  victim = `${base}/victim`;
  for (const path of [ws, victim]) mkdirSync(path);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const prepare = (policy: SandboxPolicy) =>
  prepareSandbox({ argv: ['/bin/true'], cwd: '/', env: {}, policy, context: { workspaceRoots: [] } });
const roots = (more: object = {}) => workspaceWrite({ roots: [ws], temporaryDirectories: false, ...more });

/** The workspace moves away, and a link to the victim takes its place. */
function swapForLink(): void {
  renameSync(ws, `${base}/moved`);
  symlinkSync('victim', ws);
}

describe('a workspace that is swapped for a link while its command runs', () => {
  it('does not make the server replace a protected link somewhere else', async () => {
    mkdirSync(`${base}/evil`);
    symlinkSync('../evil', `${ws}/.codex`);
    mkdirSync(`${victim}/.codex`);
    writeFileSync(`${victim}/.codex/config.toml`, 'mine');
    const prepared = await prepare(roots());
    swapForLink();
    await prepared.finish().cleanup;
    expect(readdirSync(victim)).toEqual(['.codex']);
    expect(readFileSync(`${victim}/.codex/config.toml`, 'utf8')).toBe('mine');
  });

  it('tells that a link could not be put back when its directory is gone', async () => {
    mkdirSync(`${base}/evil`);
    symlinkSync('../evil', `${ws}/.codex`);
    const prepared = await prepare(roots());
    rmSync(`${ws}/.codex`);
    swapForLink();
    expect(await prepared.finish().cleanup).toEqual([expect.stringContaining('nothing was put back')]);
    expect(readdirSync(victim)).toEqual([]);
  });

  it('leaves no mount points, neither where it went nor where the link leads', async () => {
    const prepared = await prepare(roots());
    expect(readdirSync(ws)).toContain('.git');
    swapForLink();
    expect(await prepared.finish().cleanup).toEqual([]);
    expect(readdirSync(`${base}/moved`)).toEqual([]);
    expect(readdirSync(victim)).toEqual([]);
  });

  it('does not make the server delete files somewhere else', async () => {
    mkdirSync(`${ws}/.git`);
    mkdirSync(`${victim}/.git/branches`, { recursive: true });
    writeFileSync(`${victim}/.git/branches/main`, 'mine');
    const prepared = await prepare(roots({ allowCommitsIn: [ws] }));
    mkdirSync(`${ws}/.git/branches`);
    swapForLink();
    expect(await prepared.finish().cleanup).toEqual([expect.stringContaining('branches; it was removed')]);
    expect(readFileSync(`${victim}/.git/branches/main`, 'utf8')).toBe('mine');
    expect(readdirSync(`${base}/moved/.git`)).toEqual([]);
  });
});

it('a mount point that somebody has replaced is left alone, and that is told', async () => {
  const prepared = await prepare(roots());
  rmSync(`${ws}/.git`, { recursive: true });
  symlinkSync('../victim', `${ws}/.git`);
  expect(await prepared.finish().cleanup).toEqual([expect.stringContaining('was left alone')]);
  expect(readlinkSync(`${ws}/.git`)).toBe('../victim');
  expect(readdirSync(victim)).toEqual([]);
});

it('what the command must not leave is removed without following a link that is swapped in meanwhile', async () => {
  mkdirSync(`${ws}/.git`);
  const count = 300;
  for (let index = 0; index < count; index += 1) writeFileSync(`${victim}/${index}`, '');
  const prepared = await prepare(roots({ allowCommitsIn: [ws] }));
  const tree = `${ws}/.git/branches`;
  for (let index = 0; index < count; index += 1) {
    mkdirSync(`${tree}/sub/${index}`, { recursive: true });
    writeFileSync(`${tree}/sub/${index}/file`, '');
  }
  // As another command in the same repository could.
  const swapper = spawn(process.execPath, [
    '-e',
    `const fs = require('fs'); const at = ${JSON.stringify(`${tree}/sub`)}; console.log('ready');
     for (const end = Date.now() + 1500; Date.now() < end;) try {
       fs.renameSync(at, at + '2'); fs.symlinkSync(${JSON.stringify(victim)}, at); fs.unlinkSync(at); fs.renameSync(at + '2', at);
     } catch { if (!fs.existsSync(${JSON.stringify(tree)})) break; try { fs.unlinkSync(at) } catch {} try { fs.renameSync(at + '2', at) } catch {} }`,
  ]);
  await new Promise((resolve) => swapper.stdout.once('data', resolve));
  await prepared.finish().cleanup;
  swapper.kill('SIGKILL');
  expect(readdirSync(victim)).toHaveLength(count);
});

it('what the command must not leave is removed although it is deep, wide and closed', async () => {
  mkdirSync(`${ws}/.git`);
  const prepared = await prepare(roots({ allowCommitsIn: [ws] }));
  mkdirSync(`${ws}/.git/branches/${'d/'.repeat(200)}`, { recursive: true });
  mkdirSync(`${ws}/.git/branches/closed/in`, { recursive: true });
  chmodSync(`${ws}/.git/branches/closed`, 0o500);
  await prepared.finish().cleanup;
  expect(readdirSync(`${ws}/.git`)).toEqual([]);
});

describe('after the program was killed', () => {
  let user: SandboxUser;
  beforeEach(() => {
    user = new SandboxUser(process.getuid?.() ?? 0);
  });
  afterEach(() => user.close());
  const killAfter = async (policy: SandboxPolicy, swap: () => void): Promise<void> => {
    user.shell(ws, policy, 'touch started; sleep 30').catch(() => undefined);
    await expect.poll(() => existsSync(`${ws}/started`)).toBe(true);
    swap();
    await user.kill();
    // The shell that cleans up waits 0.3 s before it removes anything.
    await sleep(900);
  };

  it('an empty directory that took the place of a mount point stays', async () => {
    mkdirSync(`${victim}/.git`);
    await killAfter(roots(), swapForLink);
    expect(lstatSync(`${victim}/.git`).isDirectory()).toBe(true);
  });

  it('an empty directory that the mount lay on, and that was there before, stays', async () => {
    mkdirSync(`${ws}/.git`);
    await killAfter(roots(), () => undefined);
    expect(readdirSync(ws).sort()).toEqual(['.git', 'started']);
    expect(readdirSync(`${ws}/.git`)).toEqual([]);
  });

  it('files of the same name in another directory stay', async () => {
    mkdirSync(`${ws}/.git`);
    mkdirSync(`${victim}/.git`);
    writeFileSync(`${victim}/.git/config.worktree`, 'mine');
    await killAfter(roots({ allowCommitsIn: [ws] }), swapForLink);
    expect(readFileSync(`${victim}/.git/config.worktree`, 'utf8')).toBe('mine');
  });
});
