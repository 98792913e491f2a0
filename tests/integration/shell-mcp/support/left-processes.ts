// Which processes of this machine have a mark in their command line.
import { readdirSync, readFileSync } from 'node:fs';

/** A number that no other test sleeps for. */
export function newMark(): string {
  return `3${Math.floor(Math.random() * 1e6)}.${process.pid}`;
}

export function processesWith(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandLine(pid).includes(mark))
    .map(Number);
}

export async function untilSome(mark: string): Promise<void> {
  while (processesWith(mark).length === 0) await pause();
}

/** Resolves when none is left; the test's own time limit is the only one. */
export async function untilNone(mark: string): Promise<void> {
  while (processesWith(mark).length > 0) await pause();
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}

/** A process that is about to end has none. */
function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
