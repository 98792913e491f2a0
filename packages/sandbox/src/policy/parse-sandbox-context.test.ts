import { describe, expect, it } from 'vitest';
import { describePolicy } from './describe-policy.js';
import { parseSandboxContext } from './parse-sandbox-context.js';

const options = { cwd: '/home/me/ws' };
const roots = { workspaceRoots: ['file:///home/me/ws'] };
const parse = (sandbox: object) => parseSandboxContext(sandbox, options);
const managed = (entries: unknown[], more: object = {}) => ({
  permissions: {
    type: 'managed',
    file_system: { type: 'restricted', entries, ...more },
    network: 'restricted',
  },
  ...roots,
});
const path = (uri: string, access = 'write') => ({ path: { type: 'path', path: uri }, access });

describe('what Codex sends', () => {
  it('is understood, 0.169.0 workspace-write in full', () => {
    const special = (value: object, access: string, more: object = {}) => ({
      path: { type: 'special', value },
      access,
      ...more,
    });
    const guarded = ['.git', '.agents', '.codex', '.aws'].map((subpath) =>
      special({ kind: 'project_roots', subpath }, 'read', { missing_path_behavior: 'skip' }),
    );
    const context = parse({
      ...managed([
        special({ kind: 'root' }, 'read'),
        special({ kind: 'project_roots' }, 'write'),
        special({ kind: 'slash_tmp' }, 'write'),
        special({ kind: 'tmpdir' }, 'write'),
        ...guarded,
      ]),
      cwd: 'file:///home/me/ws',
      policyContext: { cwd: 'file:///home/me/ws', ...roots },
      userHomeDir: 'file:///home/exec',
      temporaryDirectories: [],
      windowsSandboxLevel: 'disabled',
      useLegacyLandlock: false,
      somethingNew: true,
    });
    expect(context).toMatchObject({ cwd: '/home/me/ws', workspaceRoots: ['/home/me/ws'] });
    expect(describePolicy(context.policy, { ...context, tmpdir: '/scratch' })).toContain(
      'Write: /home/me/ws, /scratch, /tmp.',
    );
  });

  it.each<[string, unknown, string]>([
    ['disabled', { type: 'disabled' }, 'Files: everything can be read and written.'],
    ['external', { type: 'external', network: 'restricted' }, 'Network: none.'],
    [
      'unrestricted files',
      { type: 'managed', file_system: { type: 'unrestricted' }, network: 'restricted' },
      'Network: none.',
    ],
    ['danger-full-access', { type: 'danger-full-access' }, 'Network: the network of this host.'],
    ['read-only', { type: 'read-only' }, 'Write: nothing.'],
    ['readOnly', { type: 'readOnly', networkAccess: true }, 'Network: the network of this host.'],
    ['ReadOnly', { type: 'ReadOnly' }, 'Network: none.'],
    [
      'external-sandbox',
      { type: 'external-sandbox', network_access: 'enabled' },
      'Network: the network of this host.',
    ],
    [
      'workspace-write',
      { type: 'workspace-write', writable_roots: ['/data'], exclude_slash_tmp: true },
      'Write: /data, /home/me/ws.',
    ],
    [
      'workspaceWrite',
      { type: 'workspaceWrite', writableRoots: ['file:///data'] },
      'Write: /data, /home/me/ws, /tmp.',
    ],
    ['WorkspaceWrite', { type: 'WorkspaceWrite' }, 'Write: /home/me/ws, /tmp.'],
  ])('%s', (_title, permissions, expected) => {
    const context = parse({ permissions });
    expect(describePolicy(context.policy, context)).toContain(expected);
  });

  it('an empty list of workspace roots does not grant the working directory', () => {
    const context = parse({
      ...managed([{ path: { type: 'special', value: { kind: 'project_roots' } }, access: 'write' }]),
      workspaceRoots: [],
    });
    expect(describePolicy(context.policy, context)).toContain('Write: nothing.');
  });

  it('a workspace glob belongs to every root', () => {
    const context = parse(
      managed([
        { path: { type: 'glob_pattern', pattern: 'codex-project-roots://**/*.env' }, access: 'none' },
      ]),
    );
    expect(describePolicy(context.policy, context)).toContain('Denied: /home/me/ws/**/*.env.');
  });

  it('the older sandboxPolicy member works', () => {
    const context = parse({ sandboxPolicy: { type: 'workspace-write' } });
    expect(context.workspaceRoots).toEqual(['/home/me/ws']);
  });
});

describe('what is not understood is refused', () => {
  it.each<[string, object]>([
    ['no policy', {}],
    ['two policies', { permissions: { type: 'disabled' }, sandboxPolicy: { type: 'read-only' } }],
    ['a profile as the legacy policy', { sandboxPolicy: { type: 'disabled' } }],
    ['an unknown type', { permissions: { type: 'mystery' } }],
    ['an unknown member of a profile', { permissions: { type: 'disabled', except: '/etc' } }],
    ['an unknown member of a legacy policy', { permissions: { type: 'read-only', deny: [] } }],
    [
      'the wrong spelling in a legacy policy',
      { permissions: { type: 'workspace-write', writableRoots: ['/x'] } },
    ],
    ['an unknown network', { permissions: { type: 'external', network: 'some' } }],
    ['no network', { permissions: { type: 'external' } }],
    [
      'no entries',
      { permissions: { type: 'managed', file_system: { type: 'restricted' }, network: 'restricted' } },
    ],
    ['an unknown access', managed([path('/x', 'append')])],
    ['an unknown path type', managed([{ path: { type: 'regex', path: '/x' }, access: 'deny' }])],
    ['an unknown member of an entry', managed([{ ...path('/x'), unless: 'monday' }])],
    [
      'an unknown member of a path',
      managed([{ path: { type: 'path', path: '/x', depth: 1 }, access: 'read' }]),
    ],
    [
      'an unknown special path',
      managed([{ path: { type: 'special', value: { kind: 'home' } }, access: 'read' }]),
    ],
    [
      'a restriction on an unknown path',
      managed([{ path: { type: 'special', value: { kind: 'unknown', path: ':x' } }, access: 'deny' }]),
    ],
    ['an unknown missing path behaviour', managed([{ ...path('/x'), missing_path_behavior: 'create' }])],
    ['a scan depth of zero', managed([], { glob_scan_max_depth: 0 })],
    ['a relative path', managed([path('x')])],
    ['a foreign path', managed([path('file:///C:/x')])],
    ['a path on another host', managed([path('file://host/x')])],
    ['two sets of roots', { ...managed([]), policyContext: { workspaceRoots: ['/other'] } }],
    ['an override', { ...managed([]), sandboxOverride: 'none' }],
    ['a list', { permissions: [] }],
  ])('%s', (_title, sandbox) => {
    expect(() => parse(sandbox)).toThrow(expect.objectContaining({ code: 'SANDBOX_POLICY_INVALID' }));
  });

  it('a grant on an unknown path grants nothing', () => {
    const context = parse(
      managed([{ path: { type: 'special', value: { kind: 'unknown', path: ':new' } }, access: 'write' }]),
    );
    expect(describePolicy(context.policy, context)).toContain('Write: nothing.');
  });

  it('members named like parts of every object are no members', () => {
    expect(() => parse(JSON.parse('{"permissions":{"type":"disabled","__proto__":{"x":1}}}'))).toThrow(
      /__proto__/,
    );
  });
});
