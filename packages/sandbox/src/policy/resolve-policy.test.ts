import { describe, expect, it } from 'vitest';
import { createAccessLookup } from './access-lookup.js';
import { describePolicy } from './describe-policy.js';
import { fullAccess, readOnly, workspaceWrite } from './policy-constructors.js';
import type { Access, PolicyContext, PolicyEntry, PolicyPath, SandboxPolicy } from './policy-model.js';
import { isResolved, resolvePolicy, withRules } from './resolve-policy.js';

const context: PolicyContext = { cwd: '/ws', workspaceRoots: ['/ws'], tmpdir: '/var/scratch' };
const at = (path: string, access: Access): PolicyEntry => ({ path: { type: 'path', path }, access });
const special = (path: PolicyPath, access: Access): PolicyEntry => ({ path, access });
const glob = (pattern: string): PolicyEntry => ({ path: { type: 'glob', pattern }, access: 'deny' });
const policyOf = (...entries: PolicyEntry[]): SandboxPolicy => ({
  fileSystem: { type: 'restricted', entries },
  network: 'restricted',
});
const root = special({ type: 'root' }, 'read');

describe('the most specific entry decides', () => {
  it.each<[string, PolicyEntry[], string, Access]>([
    ['nothing matches', [], '/x', 'deny'],
    ['root', [root], '/x/y', 'read'],
    ['deeper wins over stronger', [at('/a', 'deny'), at('/a/b', 'write')], '/a/b/c', 'write'],
    ['the same path: deny over write', [at('/a', 'write'), at('/a', 'deny')], '/a', 'deny'],
    [
      'the same path: write over read, whatever the order',
      [at('/a', 'write'), at('/a', 'read')],
      '/a',
      'write',
    ],
    ['a sibling with a common beginning is no child', [root, at('/ws', 'write')], '/wsx', 'read'],
    ['dots are folded', [root, at('/a/../ws/./', 'write')], '/ws/x', 'write'],
    ['a trailing slash means nothing', [at('/ws/', 'write')], '/ws', 'write'],
    ['workspace roots', [special({ type: 'workspaceRoots' }, 'write')], '/ws/x', 'write'],
    [
      'a path below the workspace roots',
      [special({ type: 'workspaceRoots', subpath: 'docs' }, 'read')],
      '/ws/docs/x',
      'read',
    ],
    [
      'the temporary directory is the trusted one',
      [special({ type: 'tmpdir' }, 'write')],
      '/var/scratch/x',
      'write',
    ],
    ['/tmp', [special({ type: 'slashTmp' }, 'write')], '/tmp/x', 'write'],
    ['a glob denies', [root, glob('/ws/**/*.env')], '/ws/a/b/.env', 'deny'],
    ['a glob denies what is below a match', [root, glob('/ws/*/private')], '/ws/a/private/x', 'deny'],
    ['a relative glob belongs to the working directory', [root, glob('*.key')], '/ws/x.key', 'deny'],
  ])('%s', (_title, entries, path, expected) => {
    expect(createAccessLookup(resolvePolicy(policyOf(...entries), context)).accessAt(path)).toBe(expected);
  });
});

describe('protected names', () => {
  const lookup = (...entries: PolicyEntry[]) =>
    createAccessLookup(resolvePolicy(policyOf(root, ...entries), context));
  it.each<[string, PolicyEntry[], string, boolean]>([
    ['a file of the workspace', [at('/ws', 'write')], '/ws/file', true],
    ['.git', [at('/ws', 'write')], '/ws/.git', false],
    ['below .git', [at('/ws', 'write')], '/ws/.git/hooks/x', false],
    ['.codex, .agents and .aws', [at('/ws', 'write')], '/ws/.aws/credentials', false],
    ['deeper it is an ordinary name', [at('/ws', 'write')], '/ws/sub/.git', true],
    ['an entry for it opens it', [at('/ws', 'write'), at('/ws/.git', 'write')], '/ws/.git/x', true],
    [
      'an entry below it opens only that',
      [at('/ws', 'write'), at('/ws/.git/refs', 'write')],
      '/ws/.git/refs/x',
      true,
    ],
    [
      'an entry below it leaves the rest',
      [at('/ws', 'write'), at('/ws/.git/refs', 'write')],
      '/ws/.git/config',
      false,
    ],
    ['nested roots protect both', [at('/ws', 'write'), at('/ws/sub', 'write')], '/ws/sub/.git', false],
  ])('%s', (_title, entries, path, expected) => {
    expect(lookup(...entries).canWrite(path)).toBe(expected);
    expect(lookup(...entries).canRead(path)).toBe(true);
  });

  it('are data', () => {
    const own = resolvePolicy(policyOf(at('/ws', 'write')), { ...context, protectedNames: ['.secret'] });
    expect(createAccessLookup(own).canWrite('/ws/.secret')).toBe(false);
    expect(createAccessLookup(own).canWrite('/ws/.git')).toBe(true);
    expect(() => resolvePolicy(policyOf(), { ...context, protectedNames: ['a/b'] })).toThrow(
      /protected name/,
    );
  });

  it('do not exist under full disk write', () => {
    const open = resolvePolicy(policyOf(special({ type: 'root' }, 'write')), context);
    expect(open.fullDiskWrite).toBe(true);
    expect(createAccessLookup(open).canWrite('/ws/.git')).toBe(true);
  });
});

describe('whole-disk facts', () => {
  it.each<[string, PolicyEntry[], boolean, boolean]>([
    ['root read', [root], true, false],
    ['root write', [special({ type: 'root' }, 'write')], true, true],
    ['a deny ends both', [special({ type: 'root' }, 'write'), at('/x', 'deny')], false, false],
    ['a glob ends both', [special({ type: 'root' }, 'write'), glob('/x/*')], false, false],
    ['a read entry ends full write', [special({ type: 'root' }, 'write'), at('/x', 'read')], true, false],
    ['root read beside root write narrows nothing', [special({ type: 'root' }, 'write'), root], true, true],
    [
      'a read entry that a write entry shadows narrows nothing',
      [special({ type: 'root' }, 'write'), at('/x', 'read'), at('/x', 'write')],
      true,
      true,
    ],
    [
      'minimal narrows nothing',
      [special({ type: 'root' }, 'write'), special({ type: 'minimal' }, 'read')],
      true,
      true,
    ],
    ['nothing', [], false, false],
  ])('%s', (_title, entries, read, write) => {
    const resolved = resolvePolicy(policyOf(...entries), context);
    expect([resolved.fullDiskRead, resolved.fullDiskWrite]).toEqual([read, write]);
  });

  it('the platform directories are added only where the root is not readable', () => {
    const minimal = special({ type: 'minimal' }, 'read');
    expect(resolvePolicy(policyOf(minimal), context).includesPlatformDefaults).toBe(true);
    expect(resolvePolicy(policyOf(root, minimal), context).includesPlatformDefaults).toBe(false);
  });
});

describe('workspace roots', () => {
  it('an empty list does not grant the working directory', () => {
    const resolved = resolvePolicy(workspaceWrite({ temporaryDirectories: false }), {
      cwd: '/ws',
      workspaceRoots: [],
    });
    expect(createAccessLookup(resolved).canWrite('/ws/x')).toBe(false);
  });
  it('a subpath cannot leave them', () => {
    for (const subpath of ['..', 'a/../../b', '/etc']) {
      expect(() =>
        resolvePolicy(policyOf(special({ type: 'workspaceRoots', subpath }, 'write')), context),
      ).toThrow(/leaves/);
    }
  });
  it('without a trusted temporary directory the entry grants nothing', () => {
    const resolved = resolvePolicy(policyOf(special({ type: 'tmpdir' }, 'write')), {
      cwd: '/',
      workspaceRoots: [],
    });
    expect(resolved.rules).toEqual([]);
  });
});

describe('refusals', () => {
  it.each<[string, PolicyEntry]>([
    ['a relative path', at('ws', 'write')],
    ['a NUL', at('/w\0s', 'write')],
    ['a glob that grants', { path: { type: 'glob', pattern: '/x/*' }, access: 'read' }],
    ['an empty glob', glob('')],
  ])('%s', (_title, entry) => {
    expect(() => resolvePolicy(policyOf(entry), context)).toThrow(
      expect.objectContaining({ code: 'SANDBOX_POLICY_INVALID' }),
    );
  });
});

describe('cost', () => {
  it('grows gently with the number of entries', () => {
    const measure = (count: number): number => {
      const entries = Array.from({ length: count }, (_, index) =>
        at(`/ws/${index % 97}/${index}`, index % 2 ? 'read' : 'deny'),
      );
      const start = performance.now();
      const lookup = createAccessLookup(resolvePolicy(policyOf(root, ...entries), context));
      for (let index = 0; index < count; index += 1) lookup.canWrite(`/ws/${index % 97}/${index}/x`);
      return performance.now() - start;
    };
    // The least of several: whatever else the machine does only adds.
    const least = (count: number): number => Math.min(...Array.from({ length: 7 }, () => measure(count)));
    measure(500);
    // Quadratic growth would give a factor of 361.
    expect(least(1900) / least(100)).toBeLessThan(150);
  });
});

describe('constructors and their description', () => {
  it('are what they say', () => {
    expect(describePolicy(readOnly(), context)).toEqual([
      'Read: everything.',
      'Write: nothing.',
      'Network: none.',
    ]);
    expect(describePolicy(fullAccess(), context)[0]).toBe('Files: everything can be read and written.');
    expect(
      describePolicy(
        workspaceWrite({ roots: ['/data'], network: 'loopback', deny: ['/ws/.env', '/ws/**/*.pem'] }),
        context,
      ),
    ).toEqual([
      'Read: /.',
      'Write: /data, /tmp, /var/scratch, /ws.',
      'Denied: /ws/.env, /ws/**/*.pem.',
      'Read-only inside every writable directory: .git, .agents, .codex, .aws.',
      'Network: a private loopback interface, nothing beyond it.',
    ]);
  });
});

describe('a resolved policy', () => {
  const policy = resolvePolicy(workspaceWrite({ deny: ['**/*.env'] }), {
    cwd: '/ws',
    workspaceRoots: ['/ws'],
  });

  it('is known by where it was made, not by how it looks', () => {
    expect(isResolved(policy)).toBe(true);
    expect(isResolved({ ...policy })).toBe(false);
    expect(isResolved(withRules(policy, { rules: [], network: 'restricted' }))).toBe(true);
  });

  it('gets other rules, in order, and says anew what they mean for the whole disk', () => {
    const open = resolvePolicy(readOnly(), { cwd: '/ws', workspaceRoots: [] });
    expect(open.fullDiskRead).toBe(true);
    const rules = [
      { path: '/ws/b', access: 'write' },
      { path: '/ws', access: 'read' },
    ] as const;
    const narrowed = withRules(open, { rules, network: 'restricted' });
    expect(narrowed.rules.map(({ path }) => path)).toEqual(['/ws', '/ws/b']);
    expect(narrowed).toMatchObject({ fullDiskRead: false, fullDiskWrite: false, protectedNames: [] });
    expect(withRules(policy, { rules, network: 'restricted' }).denyGlobs).toEqual(policy.denyGlobs);
  });
});
