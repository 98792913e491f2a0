import { describe, expect, it } from 'vitest';
import { policyOf, ruleFolders, type ShellServerFlags } from './shell-server-flags.js';

const flags = (given: Partial<ShellServerFlags>): ShellServerFlags => ({
  sandbox: 'workspace-write',
  maxOutputBytes: 1,
  defaultTimeoutMs: 1,
  ...given,
});

describe('the flags of exec-mcp-server', () => {
  it('means the workspace, without a network, unless said otherwise', () => {
    const policy = policyOf(flags({ writableRoot: ['data', '/abs'] }), '/w');
    expect(policy.network).toBe('restricted');
    const text = JSON.stringify(policy);
    expect(text).toContain('workspaceRoots');
    expect(text).toContain('/w/data');
    expect(text).toContain('"/abs"');
    expect(policyOf(flags({ sandbox: 'danger-full-access' }), '/w').fileSystem.type).toBe('unrestricted');
    expect(JSON.stringify(policyOf(flags({ sandbox: 'read-only' }), '/w'))).not.toContain('write');
  });

  it('refuses a writable root that would change nothing', () => {
    expect(() => policyOf(flags({ sandbox: 'read-only', writableRoot: ['/x'] }), '/w')).toThrow(
      expect.objectContaining({ code: 'SHELL_SERVER_FLAGS_INVALID' }),
    );
  });

  it('reads rules of the machine and of the user, never of the folder it is started in', () => {
    expect(ruleFolders({}, '/home/me', '/w')).toEqual(['/etc/codex/rules', '/home/me/.codex/rules']);
    expect(ruleFolders({ CODEX_HOME: '/c' }, '/home/me', '/w')).toEqual(['/etc/codex/rules', '/c/rules']);
    expect(ruleFolders({ CODEX_HOME: '' }, '/home/me', '/w')[1]).toBe('/home/me/.codex/rules');
  });
});
