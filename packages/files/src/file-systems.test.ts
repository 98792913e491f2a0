import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ManualClock } from '../test-support/manual-clock.js';
import { FileSystems } from './file-systems.js';
import { DEFAULT_FS_LIMITS } from './fs-limits.js';

const owner = { endSignal: new AbortController().signal };

/** On sources no helper program lies beside the code. */
function withoutHelper({ clock = new ManualClock(), debug = vi.fn() } = {}): FileSystems {
  return new FileSystems({
    fs: DEFAULT_FS_LIMITS,
    cwd: '/',
    env: {},
    clock,
    logger: { debug },
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

describe('a helper that is started ahead', () => {
  const sandbox = { permissions: { type: 'read-only' } };
  const warmed = () => {
    const clock = new ManualClock();
    const debug = vi.fn();
    const files = withoutHelper({ clock, debug });
    const session = new AbortController();
    files.warm({ endSignal: session.signal }, sandbox);
    return { clock, debug, files, session };
  };

  it('leaves the machine to the command first', async () => {
    const { clock, debug } = warmed();
    await turn();
    expect(debug).not.toHaveBeenCalled();
    await clock.advance(1000);
    await expect.poll(() => debug).toHaveBeenCalledOnce();
  });

  it('is not started once the server or the session is over', async () => {
    const closed = warmed();
    await closed.files.close();
    const over = warmed();
    over.session.abort();
    for (const { clock, debug } of [closed, over]) {
      await clock.advance(1000);
      expect(debug).not.toHaveBeenCalled();
    }
  });
});
