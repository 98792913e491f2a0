// Processor time of running processes, all their threads, from the scheduler's own account in nanoseconds.
import { readdirSync, readFileSync } from 'node:fs';

export function processorMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ofProcess(pid), 0);
}

function ofProcess(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const times = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'));
    return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}

/** A process and its descendants that run now. */
export function treeOf(root: number): number[] {
  try {
    const children = readdirSync(`/proc/${root}/task`).flatMap((thread) =>
      readFileSync(`/proc/${root}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return [root, ...children.flatMap((pid) => treeOf(Number(pid)))];
  } catch {
    return [];
  }
}
