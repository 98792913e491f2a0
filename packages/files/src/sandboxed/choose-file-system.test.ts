import type { SandboxContext } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { localFileSystem } from '../local/local-file-system.js';
import { chooseFileSystem } from './choose-file-system.js';

type Permissions = NonNullable<SandboxContext['permissions']>;

describe('the file system of a request', () => {
  it('is the local one without a sandbox and where nothing is restricted', () => {
    const unrestricted: Permissions[] = [
      { type: 'disabled' },
      { type: 'external', network: 'restricted' },
      { type: 'managed', file_system: { type: 'unrestricted' }, network: 'restricted' },
    ];
    expect(chooseFileSystem(undefined)).toBe(localFileSystem);
    expect(chooseFileSystem(null)).toBe(localFileSystem);
    for (const permissions of unrestricted) expect(chooseFileSystem({ permissions })).toBe(localFileSystem);
  });

  it('is refused for every restriction that is not enforced here', () => {
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
    for (const sandbox of restricted) {
      expect(() => chooseFileSystem(sandbox)).toThrow(
        'filesystem sandbox cannot be enforced on this executor',
      );
    }
  });
});
