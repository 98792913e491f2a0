// The shell that cleans up after a crash: it takes nothing from a sandbox that is in use, and nothing that came later.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  endSandboxHousekeeping,
  gitCommitEntries,
  type PreparedSandbox,
  prepareSandbox,
  workspaceWrite,
} from '@codex/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SandboxUser } from './support/sandbox-user.js';

/** It waits 0.3 s before it removes anything. */
const shellIsDone = (): Promise<void> => sleep(600);
const roots = (ws: string) => workspaceWrite({ roots: [ws], temporaryDirectories: false });

describe('the end of housekeeping', () => {
  let ws: string;
  const prepare = (): Promise<PreparedSandbox> =>
    prepareSandbox({ argv: ['/bin/true'], cwd: ws, env: {}, policy: roots(ws) });
  beforeEach(() => {
    ws = mkdtempSync('/var/tmp/sandbox-test-');
  });
  afterEach(() => rmSync(ws, { recursive: true, force: true }));

  it('leaves the mount points of a sandbox that is in use', async () => {
    const prepared = await prepare();
    endSandboxHousekeeping();
    await shellIsDone();
    expect(readdirSync(ws)).toContain('.git');
    await prepared.finish().cleanup;
    expect(readdirSync(ws)).toEqual([]);
  });

  it('leaves the mount points of a sandbox that follows at once', async () => {
    await (await prepare()).finish().cleanup;
    endSandboxHousekeeping();
    const next = await prepare();
    await shellIsDone();
    expect(readdirSync(ws)).toContain('.git');
    await next.finish().cleanup;
    expect(readdirSync(ws)).toEqual([]);
  });
});

describe('a file that a command must not leave', () => {
  let user: SandboxUser;
  let ws: string;
  let file: string;
  beforeEach(() => {
    user = new SandboxUser(process.getuid?.() ?? 0);
    ws = user.directory();
    mkdirSync(`${ws}/.git`);
    for (const name of ['config', 'HEAD']) writeFileSync(`${ws}/.git/${name}`, '');
    file = `${ws}/.git/config.worktree`;
  });
  afterEach(() => user.close());
  const shell = (script: string) => {
    const { fileSystem, network } = roots(ws);
    const entries = [
      ...(fileSystem.type === 'restricted' ? fileSystem.entries : []),
      ...gitCommitEntries(ws),
    ];
    return user.shell(ws, { network, fileSystem: { type: 'restricted', entries } }, script);
  };

  it('is removed after the program was killed under the command', async () => {
    shell(`touch ${file}; sleep 60`).catch(() => undefined);
    await expect.poll(() => existsSync(file)).toBe(true);
    await user.kill();
    await expect.poll(() => existsSync(file)).toBe(false);
  });

  it('is removed after a kill under the second of two commands', async () => {
    await shell('true');
    shell(`touch ${file}; sleep 60`).catch(() => undefined);
    await expect.poll(() => existsSync(file)).toBe(true);
    await user.kill();
    await expect.poll(() => existsSync(file)).toBe(false);
  });

  it('stays when somebody else makes it afterwards, however the program ends', async () => {
    expect((await shell(`touch ${file}`)).violations).toHaveLength(1);
    writeFileSync(file, 'not from the command');
    await user.kill();
    await shellIsDone();
    expect(existsSync(file)).toBe(true);
  });
});
