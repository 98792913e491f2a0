// Entries of /proc (Linux), read in small pieces. What cannot be read does not exist, or hides itself; only a server
// that is short of descriptors cannot tell, and fails.

import { Buffer } from 'node:buffer';
import { closeSync, opendirSync, openSync, readlinkSync, readSync } from 'node:fs';
import { breathe } from './pacer.js';
import { type ProcessStatus, parseProcessStatus } from './process-confinement.js';

// A directory may have thousands of entries.
const BATCH = 64;
// A status is about 1.5 kB and comes in one read.
const page = Buffer.alloc(16 * 1024);

export async function* namesIn(path: string): AsyncGenerator<string> {
  let directory: ReturnType<typeof opendirSync>;
  try {
    directory = opendirSync(path, { bufferSize: BATCH });
  } catch (error) {
    return failWhenShort(error);
  }
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      yield entry.name;
      await breathe();
    }
  } catch {
    // The process has ended since.
  } finally {
    directory.closeSync();
  }
}

export function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

export function statusAt(path: string): ProcessStatus | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      return parseProcessStatus(page.toString('latin1', 0, readSync(file, page)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return failWhenShort(error);
  }
}

export function failWhenShort(error: unknown): undefined {
  const errno: unknown = Reflect.get(Object(error), 'code');
  if (errno === 'EMFILE' || errno === 'ENFILE') throw error;
  return undefined;
}

/** Newest first: a connecting process has often just been started. */
export async function processIds(): Promise<number[]> {
  const pids: number[] = [];
  for await (const name of namesIn('/proc')) if (/^\d+$/.test(name)) pids.push(Number(name));
  return pids.sort((a, b) => b - a);
}

/** Whether a process was started by this server, or by what it started. Where that cannot be seen it may have been. */
export function isBelowThisServer(pid: number): boolean {
  for (let at = pid; at > 1; at = statusAt(`/proc/${at}/status`)?.parentPid ?? process.pid) {
    if (at === process.pid) return true;
  }
  return false;
}
