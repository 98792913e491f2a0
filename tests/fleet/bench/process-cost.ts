// What a process takes of the machine, as the kernel counts it.

import { readFileSync } from 'node:fs';

export function residentMib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
