// Where descriptors can be seen in /proc: the table of each process, and those of single threads, which may have one of
// their own (`unshare(CLONE_FILES)`, or a first thread that has ended).

import { statSync } from 'node:fs';
import { isMoreConfined, type ProcessStatus } from './process-confinement.js';
import { namesIn, processIds, statusAt } from './process-entries.js';

export interface DescriptorTable {
  readonly pid: number;
  /** `fd` or `task/TID/fd`. */
  readonly path: string;
}

export interface Viewer {
  readonly uid: number;
  readonly status: ProcessStatus;
}

/** `first` are asked before all others. */
export async function* processTables(
  viewer: Viewer,
  first: readonly number[],
): AsyncGenerator<DescriptorTable> {
  for (const pid of first) yield { pid, path: 'fd' };
  for (const pid of await processIds()) {
    if (!first.includes(pid) && mayBeSeen(pid, viewer)) yield { pid, path: 'fd' };
  }
}

/** Besides the tables of the processes. Those of confined processes are left out: they may be many, and decide nothing. */
export async function* threadTables(viewer: Viewer): AsyncGenerator<DescriptorTable> {
  for (const pid of await processIds()) {
    if (!mayBeSeen(pid, viewer)) continue;
    const status = statusAt(`/proc/${pid}/status`);
    if (status === undefined || isMoreConfined(status, viewer.status)) continue;
    for await (const thread of namesIn(`/proc/${pid}/task`)) {
      if (thread !== String(pid)) yield { pid, path: `task/${thread}/fd` };
    }
  }
}

// The directory belongs to the user of the process, or to root when the process hides itself: only root can look then.
function mayBeSeen(pid: number, { uid }: Viewer): boolean {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid === uid;
}
