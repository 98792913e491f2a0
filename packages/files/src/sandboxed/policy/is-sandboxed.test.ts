import type { SandboxContext } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { isSandboxed } from './is-sandboxed.js';
import { readPolicy } from './requested-policy.js';

type Permissions = NonNullable<SandboxContext['permissions']>;

const PLACES = { cwd: '/', tmpdir: undefined };

describe('a file request is sandboxed', () => {
  it('unless it has no sandbox, or one that restricts no files', () => {
    const unrestricted: Permissions[] = [
      { type: 'disabled' },
      { type: 'external', network: 'restricted' },
      { type: 'managed', file_system: { type: 'unrestricted' }, network: 'restricted' },
    ];
    expect(isSandboxed(undefined)).toBe(false);
    expect(isSandboxed(null)).toBe(false);
    for (const permissions of unrestricted) {
      expect(isSandboxed({ permissions })).toBe(false);
      // The policy itself says the same: the look at the shape only saves reading it.
      expect(readPolicy({ permissions }, PLACES)).toBeUndefined();
    }
  });

  it('for every other one, understood or not', () => {
    const restricted: SandboxContext[] = [
      {
        permissions: {
          type: 'managed',
          file_system: { type: 'restricted', entries: [] },
          network: 'enabled',
        },
      },
      { permissions: { type: 'read-only' } },
      { sandboxPolicy: { type: 'workspace-write' } },
      {},
    ];
    for (const sandbox of restricted) expect(isSandboxed(sandbox)).toBe(true);
  });
});
