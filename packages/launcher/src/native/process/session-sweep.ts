// When a supervisor was killed by another process, its command is ended by the kernel (parent-death signal), and what the
// command has left by the supervisor's guardian. Should that be gone too, what stayed in the command's session is ended
// here. Does not find a descendant that made a session of its own, and without a descriptor to look with only the
// command's own group.
import { killQuietly } from '../../kill-quietly.js';
import type { ProcessEntry } from '../../process-table.js';
import { processSurvey } from './process-survey.js';

const MAX_ROUNDS = 20;

/** Resolves when nothing is left there, or what is left does not die. Never rejects. */
export async function killSession(session: number): Promise<void> {
  let leader: string | undefined;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const members = await membersOf(session);
    // The number belongs to another process by now: what is in its session is not ours.
    const found = members.find(({ pid }) => pid === session)?.startTime;
    if (round > 0 && found !== leader && found !== undefined) return;
    leader = found;
    if (members.length === 0) return;
    for (const { pid } of members) killQuietly(pid, 'SIGKILL');
  }
}

async function membersOf(session: number): Promise<ProcessEntry[]> {
  try {
    return (await processSurvey.look()).inSession(session);
  } catch {
    if (session > 1) killQuietly(-session, 'SIGKILL'); // 0 and 1 would mean our own group and every process
    return [];
  }
}
