import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WatchedDirectory } from '../../watch/watched-directory.js';
import { PolicyGuard } from '../guard/policy-guard.js';
import { GuardedScope, guardedPlan } from './watch-places.js';

let ws = '';
beforeEach(() => {
  ws = realpathSync(mkdtempSync(join(tmpdir(), 'watch-places-')));
  mkdirSync(join(ws, 'a/inner'), { recursive: true });
  mkdirSync(join(ws, 'b/inner'), { recursive: true });
});
afterEach(() => rmSync(ws, { recursive: true, force: true }));

const guard = () =>
  new PolicyGuard({
    rules: [{ path: ws, access: 'write' }],
    denyGlobs: [`${ws}/b/inner/*`],
    protectedNames: [],
    fullDiskWrite: false,
  });

const reached = async () => true;

async function treeAt(path: string) {
  const scope = new GuardedScope(guard());
  const root = new WatchedDirectory(path);
  await scope.at(root, reached);
  const child = (...names: string[]) => names.reduce((at, name) => new WatchedDirectory(name, at), root);
  return { scope, root, child };
}

describe.runIf(process.platform === 'linux')('the scope of a tree', () => {
  it('judges entries by where they lie, however the root is spelled', async () => {
    symlinkSync(join(ws, 'b'), join(ws, 'link'));
    const { scope } = await treeAt(join(ws, 'link'));
    expect(scope.shows(join(ws, 'link/inner'))).toBe(true);
    expect(scope.shows(join(ws, 'link/inner/gold'))).toBe(false);
    expect(await scope.isInPlace()).toBe(true);
  });

  it('reaches what lies where the tree has it, and nothing through a link', async () => {
    const { scope, child } = await treeAt(ws);
    expect(await scope.at(child('a', 'inner'), reached)).toBe(true);
    renameSync(join(ws, 'a'), join(ws, 'was-a'));
    symlinkSync(join(ws, 'b'), join(ws, 'a'));
    await expect(scope.at(child('a', 'inner'), reached)).rejects.toMatchObject({ errno: 'ENOENT' });
    await expect(scope.at(child('a'), reached)).rejects.toMatchObject({ errno: 'ENOENT' });
  });

  it('is out of place when its root is another directory, or leads there through a link', async () => {
    const { scope, root } = await treeAt(join(ws, 'a/inner'));
    renameSync(join(ws, 'a'), join(ws, 'moved'));
    expect(await scope.isInPlace()).toBe(false);
    symlinkSync(join(ws, 'moved'), join(ws, 'a'));
    expect(await scope.isInPlace()).toBe(false);
    rmSync(join(ws, 'a'));
    mkdirSync(join(ws, 'a/inner'), { recursive: true });
    expect(await scope.isInPlace()).toBe(false);
    await expect(scope.at(root, reached)).rejects.toMatchObject({ errno: 'ENOENT' });
  });
});

describe.runIf(process.platform === 'linux')('the plan for missing paths', () => {
  it('passes what stands above the granted paths, and knows nothing beside them', async () => {
    const plan = guardedPlan(guard());
    expect(await plan.look('/')).toBe('directory');
    expect(plan.watches('/')).toBe(false);
    expect(await plan.look(join(ws, 'a'))).toBe('directory');
    expect(plan.watches(join(ws, 'a'))).toBe(true);
    expect(await plan.look(join(ws, 'new'))).toBe('missing');
    expect(await plan.look(join(ws, 'b/inner/new'))).toBe('unknown');
    expect(await plan.look('/etc')).toBe('unknown');
  });
});
