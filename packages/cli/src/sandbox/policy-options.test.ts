import { describe, expect, it } from 'vitest';
import { type PolicyFlags, policyFromFlags } from './policy-options.js';

const flags = (more: Partial<PolicyFlags>): PolicyFlags => ({
  policy: 'workspace-write',
  network: 'restricted',
  ...more,
});

describe('policyFromFlags', () => {
  it('resolves relative paths against the current directory', () => {
    const { fileSystem } = policyFromFlags(flags({ writable: ['out'], deny: ['secret'] }), '/ws');
    expect(fileSystem).toMatchObject({
      entries: expect.arrayContaining([
        { path: { type: 'path', path: '/ws/out' }, access: 'write' },
        { path: { type: 'path', path: '/ws/secret' }, access: 'deny' },
      ]),
    });
  });

  it('passes the network on', () => {
    expect(policyFromFlags(flags({ policy: 'read-only', network: 'loopback' }), '/ws').network).toBe(
      'loopback',
    );
  });

  it('knows full access', () => {
    expect(policyFromFlags(flags({ policy: 'full-access' }), '/ws').fileSystem.type).toBe('unrestricted');
  });

  it('refuses a writable path under read-only', () => {
    expect(() => policyFromFlags(flags({ policy: 'read-only', writable: ['x'] }), '/ws')).toThrow(
      '`--writable` needs `--policy workspace-write`',
    );
  });

  it('says what a policy may be when it is none', () => {
    expect(() => policyFromFlags(flags({ policy: 'no-such' }), '/ws')).toThrow(
      '`--policy no-such` is neither read-only, workspace-write or full-access, nor a JSON file',
    );
  });
});
