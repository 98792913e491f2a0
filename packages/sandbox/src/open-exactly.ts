// Opens a path and nothing else: the launcher does the same in C (native/command-io.c).
import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs';
import { SandboxError } from './errors.js';

// Not among Node's constants; the same number on x64 and arm64.
const oPath = 0o10000000;

/** A handle (O_PATH) on this absolute path without links; the caller closes it. */
export function openExactly(path: string): number {
  let fd: number;
  try {
    fd = openSync(path, oPath | constants.O_NOFOLLOW);
  } catch (error) {
    throw new SandboxError('SANDBOX_PREPARE_FAILED', `cannot open ${path}`, { cause: error });
  }
  // The kernel tells where the handle really lies; O_PATH would open a link itself.
  if (!fstatSync(fd).isSymbolicLink() && readlinkSync(`/proc/self/fd/${fd}`) === path) return fd;
  closeSync(fd);
  throw new SandboxError('SANDBOX_PREPARE_FAILED', `${path} was replaced while the sandbox was prepared`);
}
