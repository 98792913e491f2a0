// Ends a wrapper and everything it has started. A wrapper that is killed takes its sandbox with it only once its first
// child has asked for that; in the moments before, the child would live on. So the wrapper is stopped first, which keeps
// it from starting more, then its children are killed and then itself. What they have started lies in their PID
// namespace, which ends with them.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A stopped process is seen as such after a few looks; none takes longer than a system call. */
const maxLooks = 1000;

export function endWrapper(child: ChildProcess): void {
  const { pid } = child;
  if (
    pid !== undefined &&
    process.platform === 'linux' &&
    child.exitCode === null &&
    child.signalCode === null
  ) {
    if (child.kill('SIGSTOP')) {
      for (let look = 0; look < maxLooks && !isStopped(pid); look += 1);
      for (const started of childrenOf(pid)) killQuietly(started);
    }
  }
  child.kill('SIGKILL');
}

function isStopped(pid: number): boolean {
  const state = /\) (\w)/.exec(read(`/proc/${pid}/stat`))?.[1];
  return state === undefined || state === 'T' || state === 'Z' || state === 'X';
}

function childrenOf(pid: number): number[] {
  const text = read(`/proc/${pid}/task/${pid}/children`).trim();
  return text === '' ? [] : text.split(' ').map(Number);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
