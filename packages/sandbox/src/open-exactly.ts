// Opens a path and nothing else: the launcher does the same in C (native/command/command-io.c).
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import type { FileIdentity } from '@codex/launcher';
import { SandboxError } from './errors.js';

// Not among Node's constants; the same number on x64 and arm64.
const oPath = 0o10000000;

/** A handle (O_PATH) on this absolute path without links, and on what was found there before; the caller closes it. */
export function openExactly(path: string, identity?: FileIdentity): number {
  let fd = openSync('/', oPath);
  try {
    for (const name of path.split('/')) {
      if (name === '') continue;
      const next = openName(fd, name, path);
      closeSync(fd);
      fd = next;
    }
    // The kernel tells where the handle really lies: finds directories that were moved meanwhile.
    if (readlinkSync(`/proc/self/fd/${fd}`) === path && isThat(fd, identity)) return fd;
    throw replaced(path);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/**
 * One name below an open directory. A link fails, also one of /proc that leaves this mount namespace, where the path may
 * be spelled the same; O_PATH would open the link itself.
 */
function openName(directory: number, name: string, path: string): number {
  let fd: number;
  try {
    fd = openSync(`/proc/self/fd/${directory}/${name}`, oPath | constants.O_NOFOLLOW);
  } catch (error) {
    throw new SandboxError('SANDBOX_PREPARE_FAILED', `cannot open ${path}`, { cause: error });
  }
  if (!fstatSync(fd).isSymbolicLink()) return fd;
  closeSync(fd);
  throw replaced(path);
}

function isThat(fd: number, identity: FileIdentity | undefined): boolean {
  if (identity === undefined) return true;
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return dev === identity.device && ino === identity.inode;
}

function replaced(path: string): SandboxError {
  return new SandboxError('SANDBOX_PREPARE_FAILED', `${path} was replaced while the sandbox was prepared`);
}
