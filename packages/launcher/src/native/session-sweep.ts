/**
 * The last resort when a supervisor was killed by someone else: its command is ended by the kernel (parent-death signal),
 * and what stayed in the command's session is ended here. Does not find a descendant that made a session of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';

const MAX_ROUNDS = 20;

export function killSession(session: number): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const members = sessionMembers(session);
    if (members.length === 0) return;
    for (const pid of members) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // it has gone, or it is not ours to signal
      }
    }
  }
}

function sessionMembers(session: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isRunningMember(name, session))
    .map(Number);
}

function isRunningMember(pid: string, session: number): boolean {
  try {
    // pid (name) state ppid pgrp session …; the name may hold anything, also ")".
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , , sid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(sid) === session && state !== 'Z' && state !== 'X';
  } catch {
    return false;
  }
}
