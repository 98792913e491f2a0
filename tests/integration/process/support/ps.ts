// What the kernel says about processes, read from /proc.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface SeenProcess {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

export function allProcesses(): SeenProcess[] {
  const seen: SeenProcess[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      seen.push({ pid: Number(name), parent: Number(parent), state });
    } catch {
      // It ended while we looked.
    }
  }
  return seen;
}

/** Living processes (zombies excepted) whose environment holds this text. */
export function survivorsWith(marker: string): number[] {
  return allProcesses()
    .filter(({ pid, state }) => {
      if (state === 'Z' || pid === process.pid) return false;
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker);
      } catch {
        return false;
      }
    })
    .map(({ pid }) => pid);
}

export function childrenOf(parent: number): SeenProcess[] {
  return allProcesses().filter((process) => process.parent === parent);
}

export function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) * 1024;
}
