import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PolicyEntry, resolvePolicy } from '@codex/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { helperPolicy } from './helper-policy.js';

describe('the policy of a helper', () => {
  let ws = '';
  beforeEach(() => {
    ws = realpathSync(mkdtempSync(join(tmpdir(), 'helper-policy-')));
  });
  afterEach(() => rmSync(ws, { recursive: true, force: true }));

  const resolve = (...entries: (readonly [string, 'read' | 'write' | 'deny'])[]) =>
    resolvePolicy(
      {
        fileSystem: {
          type: 'restricted',
          entries: entries.map(
            ([path, access]): PolicyEntry => ({
              path: path.includes('*') ? { type: 'glob', pattern: path } : { type: 'path', path },
              access,
            }),
          ),
        },
        network: 'enabled',
      },
      { cwd: ws, workspaceRoots: [] },
    );
  const mounted = (policy: ReturnType<typeof resolve>, runtime: string[] = []) => {
    const { rules, denyGlobs } = helperPolicy(policy, { runtime }).mounts;
    return Object.fromEntries([
      ...rules.map(({ path, access }) => [path, access]),
      ...denyGlobs.map(() => ['glob', 'deny']),
    ]);
  };

  it('mounts nothing on names that do not exist, and checks them inside', () => {
    const policy = resolve([ws, 'write'], [join(ws, '.git'), 'read'], [join(ws, '.env'), 'deny']);
    expect(mounted(policy)).toEqual({ [ws]: 'write' });
    const { guard, mounts } = helperPolicy(policy, { runtime: [] });
    expect(guard.rules).toContainEqual({ path: join(ws, '.env'), access: 'deny' });
    expect(guard.protectedNames).toContain('.git');
    expect(mounts.network).toBe('restricted');
  });

  it('mounts existing protected names read-only, and where they lead', () => {
    mkdirSync(join(ws, '.git'));
    mkdirSync(join(ws, 'agents'));
    symlinkSync('agents', join(ws, '.agents'));
    mkdirSync(join(ws, 'elsewhere'));
    expect(mounted(resolve([ws, 'write']))).toEqual({
      [ws]: 'write',
      [join(ws, '.git')]: 'read',
      [join(ws, 'agents')]: 'read',
    });
    rmSync(join(ws, '.git'), { recursive: true });
    writeFileSync(join(ws, '.git'), `gitdir: ${join(ws, 'elsewhere')}\n`);
    const policy = resolve([ws, 'write']);
    expect(mounted(policy)).toMatchObject({ [join(ws, '.git')]: 'read', [join(ws, 'elsewhere')]: 'read' });
    expect(helperPolicy(policy, { runtime: [] }).guard.rules).toContainEqual({
      path: join(ws, 'elsewhere'),
      access: 'read',
    });
  });

  it('keeps the repository of a linked worktree, and the one around the workspace', () => {
    const main = join(ws, 'main/.git');
    const tree = join(ws, 'tree');
    for (const path of [join(main, 'worktrees/tree'), tree, join(ws, '.codex')])
      mkdirSync(path, { recursive: true });
    writeFileSync(join(tree, '.git'), `gitdir: ${join(main, 'worktrees/tree')}\n`);
    writeFileSync(join(main, 'worktrees/tree/commondir'), '../..\n');
    const kept = { [main]: 'read', [join(tree, '.git')]: 'read' };
    const policy = resolve([ws, 'write'], [tree, 'write']);
    expect(mounted(policy)).toMatchObject(kept);
    expect(helperPolicy(policy, { runtime: [] }).guard.rules).toContainEqual({ path: main, access: 'read' });
    mkdirSync(join(tree, 'a/.codex'), { recursive: true });
    mkdirSync(join(tree, 'a/b'));
    expect(mounted(resolve([ws, 'write'], [join(tree, 'a/b'), 'write']))).toMatchObject({
      [join(tree, 'a/.codex')]: 'read',
      [main]: 'read',
    });
  });

  it('leaves an opened protected name open', () => {
    mkdirSync(join(ws, '.git'));
    expect(mounted(resolve([ws, 'write'], [join(ws, '.git'), 'write']))).toEqual({
      [ws]: 'write',
      [join(ws, '.git')]: 'write',
    });
  });

  it('shows the files of the helper without granting them', () => {
    const policy = resolve([ws, 'write']);
    expect(mounted(policy, ['/usr/bin/env'])).toMatchObject({ '/usr/bin/env': 'read' });
    const { guard } = helperPolicy(policy, { runtime: ['/usr/bin/env'] });
    expect(guard.rules).toContainEqual({ path: ws, access: 'write' });
    expect(guard.rules.filter(({ path }) => !path.startsWith(ws))).toEqual([]);
  });

  it('denies secrets of the server, and does not look for grants that are taken away', () => {
    const token = join(ws, 'token');
    mkdirSync(join(ws, 'a.env'));
    writeFileSync(token, 'secret');
    const policy = resolve(
      [ws, 'write'],
      [token, 'read'],
      [join(ws, 'a.env'), 'read'],
      [`${ws}/*.env`, 'deny'],
    );
    const { guard, places } = helperPolicy(policy, { runtime: [], secret: [token] });
    expect(guard.rules).toContainEqual({ path: token, access: 'deny' });
    expect(places.map(({ path }) => path)).toEqual([ws]);
  });

  it('knows rules and globs by their real place', () => {
    mkdirSync(join(ws, 'real'));
    symlinkSync('real', join(ws, 'link'));
    const { guard } = helperPolicy(resolve([join(ws, 'link'), 'write'], [join(ws, 'link/*.env'), 'deny']), {
      runtime: [],
    });
    expect(guard.rules).toContainEqual({ path: join(ws, 'real'), access: 'write' });
    expect(guard.rules.some(({ path }) => path.includes('link'))).toBe(false);
    expect(guard.denyGlobs).toEqual([join(ws, 'link/*.env'), join(ws, 'real/*.env')]);
  });
});
