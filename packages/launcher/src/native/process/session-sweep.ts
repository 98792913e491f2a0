/**
 * When a supervisor was killed by someone else, its command is ended by the kernel (parent-death signal), and what the
 * command has left by the supervisor's guardian. Should that be gone too, what stayed in the command's session is ended
 * here. Does not find a descendant that made a session of its own, and without a descriptor to look with only the
 * command's own group.
 */
import { killQuietly } from '../../kill-quietly.js';
import { listProcesses } from '../../process-table.js';

const MAX_ROUNDS = 20;

/** Never throws: its callers cannot catch. */
export function killSession(session: number): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const members = membersOf(session);
    if (members.length === 0) return;
    for (const pid of members) killQuietly(pid, 'SIGKILL');
  }
}

function membersOf(session: number): number[] {
  try {
    return listProcesses()
      .filter((entry) => entry.session === session && !entry.isZombie)
      .map(({ pid }) => pid);
  } catch {
    if (session > 1) killQuietly(-session, 'SIGKILL'); // 0 and 1 would mean our own group and everybody
    return [];
  }
}
