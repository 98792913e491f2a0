// One round of ending what /proc shows below a process: everything is stopped, again until nothing new is found, and
// then killed. The process itself, and whole branches that are spared, stay as they are.
import { killQuietly } from '../../kill-quietly.js';
import type { ProcessEntry } from '../../process-table.js';
import type { ProcessSnapshot } from './process-snapshot.js';
import { processSurvey } from './process-survey.js';

/** Enough to overtake a fork bomb; the next round goes on. */
const MAX_FREEZE_PASSES = 8;

export interface TreeRoot {
  readonly pid: number;
  /** Where it is known: a pid with another start time is another process. */
  readonly startTime?: string;
}

/** How many were killed; undefined when the root is not there. */
export async function endTreeBelow(
  root: TreeRoot,
  isSpared: (entry: ProcessEntry) => boolean = () => false,
): Promise<number | undefined> {
  const stopped = new Set<string>();
  let tree: ProcessEntry[] = [];
  for (let pass = 0; pass < MAX_FREEZE_PASSES; pass += 1) {
    const snapshot = await lookQuietly();
    const found = snapshot?.get(root.pid);
    if (snapshot === undefined || found === undefined) return undefined;
    if (root.startTime !== undefined && found.startTime !== root.startTime) return undefined;
    tree = snapshot.below(root.pid, isSpared);
    const fresh = tree.filter((entry) => !stopped.has(nameOf(entry)));
    for (const entry of fresh) {
      killQuietly(entry.pid, 'SIGSTOP');
      stopped.add(nameOf(entry));
    }
    if (fresh.length === 0) break;
  }
  for (const { pid } of tree) killQuietly(pid, 'SIGKILL');
  return tree.length;
}

const nameOf = ({ pid, startTime }: ProcessEntry): string => `${pid} ${startTime}`;

/** Short of descriptors nothing is found: the root counts as gone. */
async function lookQuietly(): Promise<ProcessSnapshot | undefined> {
  try {
    return await processSurvey.look();
  } catch {
    return undefined;
  }
}
