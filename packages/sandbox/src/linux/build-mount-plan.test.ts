import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workspaceWrite } from '../policy/policy-constructors.js';
import type { PolicyEntry } from '../policy/policy-model.js';
import { resolvePolicy } from '../policy/resolve-policy.js';
import { buildMountPlan } from './build-mount-plan.js';
import { inOneGo } from './locate/time-slices.js';
import { keptMountPoints, type MountPlan } from './mount-plan.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'mount-plan-')));
  mkdirSync(`${base}/ws`);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const root: PolicyEntry = { path: { type: 'root' }, access: 'read' };
function plan(entries: readonly PolicyEntry[], names: readonly string[] = []): MountPlan {
  const policy = resolvePolicy(
    { fileSystem: { type: 'restricted', entries }, network: 'restricted' },
    { cwd: `${base}/ws`, workspaceRoots: [`${base}/ws`], protectedNames: names },
  );
  return inOneGo(buildMountPlan({ policy }));
}
const at = (path: string, access: PolicyEntry['access']): PolicyEntry => ({
  path: { type: 'path', path: `${base}/${path}` },
  access,
});
const steps = (made: MountPlan): string[] =>
  made.steps.map((step) => `${step.type} ${step.path.replace(`${base}/`, '')}`);

describe('the mount plan', () => {
  it('mounts nothing where a rule says what is true anyway', () => {
    mkdirSync(`${base}/ws/sub`);
    expect(steps(plan([root, at('ws', 'write'), at('ws/sub', 'write'), at('other', 'read')]))).toEqual([
      'bind ws',
    ]);
  });

  it('covers missing protected names and binds existing ones read-only', () => {
    mkdirSync(`${base}/ws/.git/objects`, { recursive: true });
    expect(steps(plan([root, at('ws', 'write')], ['.git', '.codex']))).toEqual([
      'bind ws',
      'coverMissing ws/.codex',
      'readOnlyBind ws/.git',
    ]);
  });

  it('nests grants inside denials inside grants, parents first', () => {
    mkdirSync(`${base}/ws/a/b`, { recursive: true });
    const made = plan([root, at('ws', 'write'), at('ws/a', 'deny'), at('ws/a/b', 'write')]);
    expect(steps(made)).toEqual(['bind ws', 'hideDirectory ws/a', 'bind ws/a/b']);
    expect(made.steps[1]).toMatchObject({ passable: true });
  });

  it('has mounts that must stay: what takes something away, and what keeps the names that lead there', () => {
    mkdirSync(`${base}/ws/a/b`, { recursive: true });
    mkdirSync(`${base}/out/c`, { recursive: true });
    writeFileSync(`${base}/ws/a/b/secret`, '');
    const entries = [
      root,
      at('ws', 'write'),
      at('out', 'write'),
      at('ws/a/b/secret', 'deny'),
      at('ws/gone', 'read'),
    ];
    const made = plan([...entries, at('out/c', 'deny')]);
    const kept = (of: MountPlan) => keptMountPoints(of.steps).map((path) => path.replace(`${base}/`, ''));
    expect(kept(made)).toEqual(['out', 'out/c', 'ws', 'ws/a', 'ws/a/b', 'ws/a/b/secret', 'ws/gone']);
    expect(kept(plan(entries))).toEqual(['ws', 'ws/a', 'ws/a/b', 'ws/a/b/secret', 'ws/gone']);
    expect(kept(plan([root, at('ws', 'write'), at('out', 'write')]))).toEqual([]);
    expect(
      keptMountPoints([
        { type: 'hideDirectory', path: '/a', passable: true },
        { type: 'symlink', path: '/a/l', target: '/b' },
        { type: 'bind', path: '/a/w' },
      ]),
    ).toEqual(['/a']);
  });

  it('pins every directory above a restriction', () => {
    mkdirSync(`${base}/ws/a/b`, { recursive: true });
    writeFileSync(`${base}/ws/a/b/secret`, '');
    expect(steps(plan([root, at('ws', 'write'), at('ws/a/b/secret', 'deny')]))).toEqual([
      'bind ws',
      'bind ws/a',
      'bind ws/a/b',
      'hideFile ws/a/b/secret',
    ]);
  });

  it('pins above a nested writable root with protected names of its own', () => {
    mkdirSync(`${base}/ws/a/b`, { recursive: true });
    expect(steps(plan([root, at('ws', 'write'), at('ws/a/b', 'write')], ['.git']))).toEqual([
      'bind ws',
      'coverMissing ws/.git',
      'bind ws/a',
      'bind ws/a/b',
      'coverMissing ws/a/b/.git',
    ]);
  });

  it('covers the first missing part once for any number of rules below it', () => {
    expect(steps(plan([root, at('ws', 'write'), at('ws/x/one', 'deny'), at('ws/x/y/two', 'read')]))).toEqual([
      'bind ws',
      'coverMissing ws/x',
    ]);
  });

  it('leaves out a missing grant and says so', () => {
    const made = plan([root, at('absent', 'write')]);
    expect(made.steps).toEqual([]);
    expect(made.warnings.join()).toContain('absent does not exist');
  });

  it('starts from nothing when the root is not readable, and rebuilds the links on the way', () => {
    symlinkSync('ws', `${base}/alias`);
    const made = plan([at('alias', 'write')]);
    expect(made.base).toBe('empty');
    expect(steps(made)).toEqual(['symlink alias', 'bind ws']);
  });

  it('follows a link that the command cannot change', () => {
    mkdirSync(`${base}/real`);
    symlinkSync('real', `${base}/alias`);
    expect(steps(plan([root, at('alias', 'write')]))).toEqual(['bind real']);
  });

  it('refuses a link that the command can change, unless the rule changes nothing', () => {
    mkdirSync(`${base}/ws/real`);
    symlinkSync('real', `${base}/ws/alias`);
    expect(() => plan([root, at('ws', 'write'), at('ws/alias', 'deny')])).toThrow(
      expect.objectContaining({ code: 'SANDBOX_POLICY_UNENFORCEABLE' }),
    );
    expect(steps(plan([root, at('ws', 'write'), at('ws/alias', 'write')]))).toEqual(['bind ws']);
  });

  it('sees through two links that the order of the rules hides', () => {
    mkdirSync(`${base}/data/real`, { recursive: true });
    symlinkSync('real', `${base}/data/alias`);
    symlinkSync('data', `${base}/zz`);
    expect(() => plan([root, at('data/alias/secret', 'deny'), at('zz', 'write')])).toThrow(/may change/);
  });

  it('lets no grant open what is always denied', () => {
    mkdirSync(`${base}/ws/keys/open`, { recursive: true });
    const policy = resolvePolicy(
      {
        fileSystem: { type: 'restricted', entries: [root, at('ws', 'write'), at('ws/keys/open', 'write')] },
        network: 'restricted',
      },
      { cwd: `${base}/ws`, workspaceRoots: [], protectedNames: [] },
    );
    const made = inOneGo(buildMountPlan({ policy, denials: { always: [`${base}/ws/keys`] } }));
    expect(steps(made)).toEqual(['bind ws', 'hideDirectory ws/keys']);
  });

  it('guards a protected name that is a link, and its target', () => {
    mkdirSync(`${base}/ws/store`);
    symlinkSync('store', `${base}/ws/.git`);
    const made = plan([root, at('ws', 'write')], ['.git']);
    expect(steps(made)).toEqual(['bind ws', 'readOnlyBind ws/store']);
    expect(made.guardedLinks).toEqual([{ path: `${base}/ws/.git`, target: 'store' }]);
  });

  it('gives up on a ring of links', () => {
    symlinkSync('b', `${base}/a`);
    symlinkSync('a', `${base}/b`);
    expect(() => plan([root, at('a/x', 'deny')])).toThrow(/too many symbolic links/);
  });

  it('refuses a denied file with a second name', () => {
    writeFileSync(`${base}/ws/secret`, '');
    linkSync(`${base}/ws/secret`, `${base}/ws/twin`);
    expect(() => plan([root, at('ws', 'write'), at('ws/secret', 'deny')])).toThrow(/hard links/);
  });

  it('stays fast with the most of rules', () => {
    const entries = Array.from({ length: 1900 }, (_, index) => at(`ws/${index % 50}/${index}`, 'deny'));
    const start = performance.now();
    plan([root, at('ws', 'write'), ...entries]);
    expect(performance.now() - start).toBeLessThan(1500);
  });

  it('the commit policy opens the git directory but not its hooks and configuration', () => {
    for (const name of ['hooks', 'modules']) mkdirSync(`${base}/ws/.git/${name}`, { recursive: true });
    writeFileSync(`${base}/ws/.git/config`, '');
    const policy = resolvePolicy(
      workspaceWrite({ temporaryDirectories: false, allowCommitsIn: [`${base}/ws`] }),
      { cwd: `${base}/ws`, workspaceRoots: [`${base}/ws`], protectedNames: ['.git'] },
    );
    const made = inOneGo(buildMountPlan({ policy }));
    expect(steps(made)).toEqual([
      'bind ws',
      'bind ws/.git',
      'readOnlyBind ws/.git/config',
      'coverMissing ws/.git/config.lock',
      'readOnlyBind ws/.git/hooks',
      'readOnlyBind ws/.git/modules',
      'coverMissing ws/refs',
    ]);
    expect(made.removedAfterwards.map((path) => path.replace(`${base}/ws/.git/`, '')).sort()).toEqual([
      'branches',
      'commondir',
      'config.worktree',
      'remotes',
    ]);
  });
});
