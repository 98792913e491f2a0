/**
 * The one file that knows node-pty, an optional dependency. Only its native `open` and `resize` are used: its own
 * spawn() loses the end of the output, and its open() in JavaScript starts reading on both ends.
 */
import { closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { LaunchError } from '../launch-error.js';
import { PtyMaster } from '../stream/pty-master.js';

/** What node-pty's type declarations leave out. */
interface NativePty {
  open(cols: number, rows: number): { master: number; slave: number; pty: string };
  resize(fd: number, cols: number, rows: number): void;
}

export interface PtyPair {
  readonly master: PtyMaster;
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
  const master = new PtyMaster(fd);
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
    const loader = createRequire(import.meta.url)('node-pty/lib/utils.js') as {
      loadNativeModule(name: string): { module: NativePty };
    };
    return loader.loadNativeModule('pty').module;
  } catch (cause) {
    throw new LaunchError({
      stage: 'pty',
      errno: 'ENOSYS',
      message: 'a pseudo-terminal needs codex-launcher or the package node-pty, and neither is installed',
      cause,
    });
  }
}
