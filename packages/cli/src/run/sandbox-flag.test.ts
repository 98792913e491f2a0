import { parseSandboxContext } from '@codex/sandbox';
import { describe, expect, it } from 'vitest';
import { type SandboxFlags, sandboxFromFlags } from './sandbox-flag.js';

const place = { cwd: '/ws', toUri: (path: string) => `file://${path}` };
const policyOf = (flags: SandboxFlags) =>
  parseSandboxContext(sandboxFromFlags(flags, place), { cwd: '/ws' }).policy;

describe('sandboxFromFlags', () => {
  it('sends nothing without the flag', () => {
    expect(sandboxFromFlags({}, place)).toBeUndefined();
  });

  it('is what the sandbox library means by the same names', () => {
    expect(policyOf({ sandbox: 'read-only' })).toMatchObject({
      network: 'restricted',
      fileSystem: { entries: [{ path: { type: 'root' }, access: 'read' }] },
    });
    expect(policyOf({ sandbox: 'workspace-write', network: 'enabled', writable: ['/out'] })).toMatchObject({
      network: 'enabled',
      fileSystem: {
        entries: expect.arrayContaining([
          { path: { type: 'workspaceRoots' }, access: 'write' },
          { path: { type: 'path', path: '/out' }, access: 'write' },
        ]),
      },
    });
    expect(policyOf({ sandbox: 'full-access' }).fileSystem.type).toBe('unrestricted');
  });

  it.each<SandboxFlags>([
    { network: 'enabled' },
    { sandbox: 'full-access', network: 'enabled' },
    { writable: ['/x'] },
    { sandbox: 'read-only', writable: ['/x'] },
  ])('refuses refinements without what they refine: %j', (flags) => {
    expect(() => sandboxFromFlags(flags, place)).toThrow('needs `--sandbox');
  });
});
