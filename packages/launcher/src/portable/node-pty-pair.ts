// Pseudo-terminals by node-pty, which comes with @codex/launcher-darwin and is not there on other systems.
import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { loadNativePty as load, NativePty } from '@codex/launcher-darwin';
import { LaunchError } from '../launch-error.js';
import { PtyDescriptor } from '../stream/pty-descriptor.js';

export interface PtyPair {
  readonly master: PtyDescriptor;
  /** Path of the terminal end. */
  readonly terminal: string;
  /** Keeps the terminal from hanging up until the command has opened it. */
  readonly holderFd: number;
  resize(rows: number, cols: number): void;
}

/** node-pty opens masters without close-on-exec: the launcher covers these numbers in every child it starts. */
const leakingFds = new Set<number>();

export function fdsToCover(): ReadonlySet<number> {
  return leakingFds;
}

export function openPtyPair(rows: number, cols: number): PtyPair {
  const native = loadNative();
  const { master: fd, slave, pty } = native.open(cols, rows);
  leakingFds.add(fd);
  const master = new PtyDescriptor(fd);
  master.onClosed(() => leakingFds.delete(fd));
  // Opened again by Node it closes on exec.
  const holderFd = openSync(pty, constants.O_RDWR | constants.O_NOCTTY);
  closeSync(slave);
  const resize = (newRows: number, newCols: number): void => {
    if (master.isOpen) native.resize(fd, newCols, newRows);
  };
  return { master, terminal: pty, holderFd, resize };
}

function loadNative(): NativePty {
  try {
    const { loadNativePty } = createRequire(import.meta.url)('@codex/launcher-darwin') as {
      loadNativePty: typeof load;
    };
    return loadNativePty();
  } catch (cause) {
    throw new LaunchError({
      stage: 'pty',
      errno: 'ENOSYS',
      message:
        process.platform === 'linux'
          ? 'a pseudo-terminal needs the program codex-launcher, and there is none for this machine: run scripts/build-native.mjs of @codex/launcher'
          : 'a pseudo-terminal needs the package @codex/launcher-darwin, and it is not installed: npm install @codex/launcher-darwin',
      cause,
    });
  }
}
