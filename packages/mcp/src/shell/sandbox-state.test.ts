import { describe, expect, it } from 'vitest';
import { parseSandboxState, sandboxStateOf } from './sandbox-state.js';

const PROFILE = {
  type: 'managed',
  file_system: {
    type: 'restricted',
    entries: [
      { path: { type: 'special', value: { kind: 'root' } }, access: 'read' },
      { path: { type: 'path', path: '/home/me/w' }, access: 'write' },
      {
        path: { type: 'path', path: '/home/me/w/.git' },
        access: 'read',
        missing_path_behavior: 'skip',
      },
    ],
  },
  network: 'restricted',
};
const STATE = {
  permissionProfile: PROFILE,
  codexLinuxSandboxExe: '/nowhere/codex-linux-sandbox',
  sandboxCwd: 'file:///home/me/w',
  useLegacyLandlock: false,
  useMxc: false,
};

describe('the sandbox state of a call', () => {
  it('is what Codex sends with it', () => {
    expect(sandboxStateOf({ 'codex/sandbox-state-meta': STATE })).toMatchObject({
      policy: { network: 'restricted', fileSystem: { type: 'restricted' } },
      cwd: '/home/me/w',
      workspaceRoots: ['/home/me/w'],
    });
  });

  it('prefers the newer of two keys, and is not there without either', () => {
    const disabled = { ...STATE, permissionProfile: { type: 'disabled' } };
    const both = { 'codex/sandbox-state': STATE, 'codex/sandbox-state-meta': disabled };
    expect(sandboxStateOf(both)?.policy.network).toBe('enabled');
    expect(sandboxStateOf({ 'codex/sandbox-state': STATE })?.policy.network).toBe('restricted');
    expect(sandboxStateOf({ 'codex/sandbox-launcher': { codexExecutable: '/x' } })).toBeUndefined();
  });

  it('knows the form of older clients', () => {
    const sandboxPolicy = { type: 'workspace-write', writable_roots: ['/data'], network_access: true };
    const { policy, workspaceRoots } = parseSandboxState({ sandboxPolicy, sandboxCwd: '/home/me/w' });
    expect(policy.network).toBe('enabled');
    expect(workspaceRoots).toEqual(['/home/me/w']);
    expect(JSON.stringify(policy)).toContain('/data');
  });

  it.each([
    ['no object', 'x'],
    ['no folder', { permissionProfile: PROFILE }],
    ['a relative folder', { ...STATE, sandboxCwd: 'w' }],
    ['no policy', { sandboxCwd: '/w' }],
    ['two policies', { ...STATE, sandboxPolicy: { type: 'read-only' } }],
    ['an unknown profile', { ...STATE, permissionProfile: { type: 'new' } }],
    ['an unknown member', { ...STATE, permissionProfile: { ...PROFILE, more: 1 } }],
  ])('is refused when it has %s', (_, state) => {
    expect(() => parseSandboxState(state)).toThrow(/sandbox state/);
  });
});
