// The processes of one user, and which of them hold a socket (Linux).

import { Buffer } from 'node:buffer';
import { closeSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import { createPacer } from './pacer.js';
import { type ProcessStatus, parseProcessStatus } from './process-confinement.js';

export interface ListedProcess {
  readonly pid: number;
  readonly status: ProcessStatus;
}

// A status is about 1.5 kB and comes in one read.
const page = Buffer.alloc(16 * 1024);

/** Newest first. */
export async function listProcesses(uid: number): Promise<ListedProcess[]> {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const found: ListedProcess[] = [];
  const breathe = createPacer();
  for (const pid of pids.sort((a, b) => b - a)) {
    const status = readStatus(pid, uid);
    if (status !== undefined) found.push({ pid, status });
    await breathe();
  }
  return found;
}

export function readStatus(pid: number | 'self', uid?: number): ProcessStatus | undefined {
  try {
    const file = openSync(`/proc/${pid}/status`, 'r');
    try {
      return parseProcessStatus(page.toString('latin1', 0, readSync(file, page)), uid);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** `hidden` when the process does not let its descriptors be seen. */
export async function holdsSocket(pid: number, inode: number): Promise<boolean | 'hidden'> {
  const wanted = `socket:[${inode}]`;
  const breathe = createPacer();
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    const errno: unknown = Reflect.get(Object(error), 'code');
    return errno === 'EACCES' || errno === 'EPERM' ? 'hidden' : false;
  }
  for (const name of names) {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${name}`) === wanted) return true;
    } catch {
      // The descriptor was closed since it was listed.
    }
    await breathe();
  }
  return false;
}
