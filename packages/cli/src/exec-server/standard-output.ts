// Opens the standard output as a stream that can be destroyed.

import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

const STDOUT_FD = 1;

/**
 * `process.stdout` is never closed, not even by `destroy()`: unread bytes would keep the process alive. A
 * pipe is opened anew for that reason; files and terminals take what they are given.
 */
export function openStandardOutput(): Writable {
  const stats = fstatSync(STDOUT_FD);
  if (!stats.isFIFO() && !stats.isSocket()) return process.stdout;
  return new Socket({ fd: STDOUT_FD, readable: false, writable: true });
}
