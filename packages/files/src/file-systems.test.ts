import { describe, expect, it } from 'vitest';
import { ManualClock } from '../test-support/manual-clock.js';
import { FileSystems } from './file-systems.js';
import { DEFAULT_FS_LIMITS } from './fs-limits.js';

const owner = { endSignal: new AbortController().signal };

/** On sources no helper program lies beside the code. */
function withoutHelper(): FileSystems {
  return new FileSystems({
    fs: DEFAULT_FS_LIMITS,
    cwd: '/',
    env: {},
    clock: new ManualClock(),
    logger: { debug: () => undefined },
    secretFiles: [],
    ownFolders: [],
  });
}

describe('the file system of a request', () => {
  it('is the local one without a sandbox and where nothing is restricted', () => {
    const files = withoutHelper();
    for (const sandbox of [undefined, null, { permissions: { type: 'disabled' } } as const]) {
      expect(files.choose(owner, sandbox)).toBe(files.local);
      expect(files.direct(sandbox)).toBe(files.local);
    }
  });

  it('is refused, and so is a watch, for every restriction that cannot be enforced', async () => {
    const files = withoutHelper();
    for (const sandbox of [{ permissions: { type: 'read-only' } } as const, {}]) {
      const refusal = 'filesystem sandbox cannot be enforced on this executor';
      expect(files.direct(sandbox)).toBeUndefined();
      await expect(files.choose(owner, sandbox)).rejects.toThrow(refusal);
      await expect(files.chooseWatcher(owner, sandbox)).rejects.toThrow(refusal);
    }
  });
});
