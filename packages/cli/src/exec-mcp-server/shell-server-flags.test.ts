import { describe, expect, it } from 'vitest';
import {
  defaultTimeout,
  missingRoots,
  policyOf,
  ruleFolders,
  type ShellServerFlags,
} from './shell-server-flags.js';

const flags = (given: Partial<ShellServerFlags>): ShellServerFlags => ({
  sandbox: 'workspace-write',
  maxOutputBytes: 1,
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
    expect(ruleFolders({ CODEX_HOME: '' }, '/home/me', '/w')[1]).toBe('/home/me/.codex/rules');
    expect(ruleFolders({ CODEX_HOME: '/usr' }, '/home/me', '/w')).toEqual(['/etc/codex/rules', '/usr/rules']);
    expect(ruleFolders({ CODEX_HOME: 'usr' }, '/home/me', '/')[1]).toBe('/usr/rules');
  });

  it.each(['/nonexistent', '/etc/passwd'])('refuses a CODEX_HOME that is no folder: %s', (path) => {
    expect(() => ruleFolders({ CODEX_HOME: path }, '/home/me', '/w')).toThrow(
      `CODEX_HOME points to "${path}", which is not a directory`,
    );
  });

  it('has a time for calls without one that is not refused', () => {
    expect(defaultTimeout(flags({}))).toBe(10_000);
    expect(defaultTimeout(flags({ maxTimeoutMs: 5000 }))).toBe(5000);
    expect(defaultTimeout(flags({ maxTimeoutMs: 60_000 }))).toBe(10_000);
    expect(defaultTimeout(flags({ defaultTimeoutMs: 7, maxTimeoutMs: 7 }))).toBe(7);
    expect(() => defaultTimeout(flags({ defaultTimeoutMs: 8, maxTimeoutMs: 7 }))).toThrow(/is more than/);
  });

  it('tells of a writable root that is not there', () => {
    expect(missingRoots(flags({ writableRoot: ['usr', '/usr', 'nonexistent'] }), '/')).toEqual([
      '`--writable-root`: /nonexistent does not exist, so nothing can be written there',
    ]);
  });
});
