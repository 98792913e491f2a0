// Reads what bubblewrap reports about the command: its pid, and its exit if and only if it was really started.
import { readFileSync } from 'node:fs';
import { readAnonymousFile } from './anonymous-file.js';

export interface BwrapStatus {
  /** The first process of the sandbox, seen from outside. It is bubblewrap's own reaper; the command is its child. */
  readonly reaperPid: number | undefined;
  /** Present when the command was executed and has ended. */
  readonly exitCode: number | undefined;
}

export function readBwrapStatus(statusFd: number): BwrapStatus {
  let reaperPid: number | undefined;
  let exitCode: number | undefined;
  for (const line of readAnonymousFile(statusFd).split('\n')) {
    const pid = /"child-pid"\s*:\s*(\d+)/.exec(line)?.[1];
    const code = /"exit-code"\s*:\s*(\d+)/.exec(line)?.[1];
    if (pid !== undefined) reaperPid = Number(pid);
    if (code !== undefined) exitCode = Number(code);
  }
  return { reaperPid, exitCode };
}

/** The reaper starts the command first, so inside the sandbox it always has number 2. */
export function findCommandPid(reaperPid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${reaperPid}/task/${reaperPid}/children`, 'latin1')
      .trim()
      .split(' ');
    return children.map(Number).find((pid) => innerPid(pid) === 2);
  } catch {
    return undefined;
  }
}

function innerPid(pid: number): number | undefined {
  try {
    const numbers = /^NSpid:\s*(.+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]?.split(/\s+/);
    return numbers === undefined ? undefined : Number(numbers.at(-1));
  } catch {
    return undefined;
  }
}
