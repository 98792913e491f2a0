/**
 * The last resort when a supervisor was killed by someone else: its command is ended by the kernel (parent-death signal),
 * and what stayed in the command's session is ended here. Does not find a descendant that made a session of its own.
 */
import { killQuietly } from '../kill-quietly.js';
import { listProcesses } from '../process-table.js';

const MAX_ROUNDS = 20;

export function killSession(session: number): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const members = listProcesses().filter((entry) => entry.session === session && !entry.isZombie);
    if (members.length === 0) return;
    for (const { pid } of members) killQuietly(pid, 'SIGKILL');
  }
}
