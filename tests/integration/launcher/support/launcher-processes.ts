// The launcher's own processes: the nursery, and the supervisors below it.
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

/** Zombies included. */
export function childrenOf(parent: number): ProcessInfo[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => infoOf(Number(name)) ?? [])
    .filter((info) => info.parent === parent);
}

export function infoOf(pid: number): ProcessInfo | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), state };
  } catch {
    return undefined;
  }
}

/** Those that a process has started; it has one per launcher. */
export function nurseriesOf(server: number): number[] {
  return childrenOf(server)
    .map(({ pid }) => pid)
    .filter((pid) => argumentsOf(pid).includes('--nursery'));
}

/** Waiting and busy ones, in the order of their birth: the children of the nursery and of guardians of one. */
export function supervisorsOf(server: number): number[] {
  return childrenOf(server)
    .filter(({ pid }) => argumentsOf(pid)[0] === 'codex-launcher')
    .flatMap(({ pid }) => childrenOf(pid).map((child) => child.pid));
}

export function isAlive(pid: number): boolean {
  const state = infoOf(pid)?.state;
  return state !== undefined && state !== 'Z' && state !== 'X';
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0');
  } catch {
    return [];
  }
}

/** All processes of the launcher below a server: guardians, the nursery, supervisors. */
export function launcherProcessesBelow(server: number): number[] {
  return childrenOf(server)
    .map(({ pid }) => pid)
    .filter((pid) => argumentsOf(pid)[0] === 'codex-launcher')
    .flatMap((pid) => [pid, ...launcherProcessesBelow(pid)]);
}
