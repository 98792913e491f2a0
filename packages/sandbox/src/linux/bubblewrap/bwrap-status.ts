// Reads what bubblewrap reports about the command, and finds the processes it has started.
import { readFileSync } from 'node:fs';

/** bubblewrap reports an exit if and only if the command was really executed, and has ended. */
export function reportsCommandExit(report: string): boolean {
  return /"exit-code"\s*:\s*\d/.test(report);
}

/**
 * bubblewrap has one child, its own reaper, which is the first process of the sandbox; that one starts the command
 * first, so inside the sandbox it always has number 2.
 */
export function findCommandPid(wrapperPid: number): number | undefined {
  const reaper = childWithInnerPid(wrapperPid, 1);
  return reaper === undefined ? undefined : childWithInnerPid(reaper, 2);
}

function childWithInnerPid(parent: number, wanted: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'latin1').trim().split(' ');
    return children.map(Number).find((pid) => innerPid(pid) === wanted);
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
