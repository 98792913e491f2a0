// The processes of one user, and which of them hold a socket (Linux). Synchronous reads of /proc are a few microseconds
// each and much cheaper than asynchronous ones; the event loop gets a turn in between.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type ProcessStatus, parseProcessStatus } from './process-confinement.js';

export interface ListedProcess {
  readonly pid: number;
  readonly status: ProcessStatus;
}

const TURN_MS = 2;

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
    return parseProcessStatus(readFileSync(`/proc/${pid}/status`, 'latin1'), uid);
  } catch {
    return undefined;
  }
}

/** `unknown` when the process does not let its descriptors be seen, or is gone. */
export async function holdsSocket(pid: number, inode: number): Promise<boolean | 'unknown'> {
  const wanted = `socket:[${inode}]`;
  const breathe = createPacer();
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch {
    return 'unknown';
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

function createPacer(): () => Promise<void> | undefined {
  let turnEnds = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < turnEnds) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        turnEnds = performance.now() + TURN_MS;
        resolve();
      }),
    );
  };
}
