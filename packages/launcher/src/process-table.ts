// The processes of this machine with parent, group and session: /proc on Linux, ps elsewhere.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Its place among the fields of /proc/<pid>/stat, counted from the state (proc(5) counts from the pid). */
const START_TIME = 19;

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
  readonly session: number;
  readonly isZombie: boolean;
  /** In the kernel's units: with the pid it names a process for good. Empty where the system does not tell. */
  readonly startTime: string;
}

function listProcesses(): ProcessEntry[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/**
 * Everything below `root` and in its group or session. An orphan that left both (setsid after a double fork) is not
 * found once its parent has gone.
 */
export function findTree(root: number): number[] {
  const entries = listProcesses().filter((entry) => !entry.isZombie);
  const found = new Set([root]);
  let before = 0;
  while (found.size > before) {
    before = found.size;
    for (const entry of entries) {
      if (found.has(entry.parent) || entry.group === root || entry.session === root) found.add(entry.pid);
    }
  }
  return entries.map((entry) => entry.pid).filter((pid) => found.has(pid));
}

/** Whether a process of the group runs. Signals also reach what has ended, until somebody takes note of it. */
export function runsInGroup(group: number): boolean {
  return listProcesses().some((entry) => entry.group === group && !entry.isZombie);
}

function fromProc(): ProcessEntry[] {
  return listPids().flatMap((pid) => readProcess(pid) ?? []);
}

/** Linux only. */
export function listPids(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** Linux only. Undefined when it has gone. */
export function readProcess(pid: string): ProcessEntry | undefined {
  try {
    // pid (name) state ppid pgrp session …; the name may hold anything, also ")".
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, group, session] = fields;
    return entryOf([pid, parent, group, session], state, fields[START_TIME]);
  } catch {
    return undefined;
  }
}

function fromPs(): ProcessEntry[] {
  const table = execFileSync('/bin/ps', ['-axo', 'pid=,ppid=,pgid=,state='], { encoding: 'latin1' });
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, group, state] = line.trim().split(/\s+/);
      return entryOf([pid, parent, group, '0'], state);
    });
}

function entryOf(numbers: (string | undefined)[], state: string | undefined, startTime = ''): ProcessEntry {
  const [pid = 0, parent = 0, group = 0, session = 0] = numbers.map(Number);
  return {
    pid,
    parent,
    group,
    session,
    isZombie: state?.startsWith('Z') === true || state === 'X',
    startTime,
  };
}
