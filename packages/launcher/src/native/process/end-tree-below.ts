/**
 * One round of ending what /proc shows below a process: everything is stopped, again until nothing new is found, and then
 * killed. The process itself, and whole branches that are spared, stay as they are.
 */
import { killQuietly } from '../../kill-quietly.js';
import { listProcesses, type ProcessEntry } from '../../process-table.js';

/** Enough to overtake a fork bomb; the next round goes on. */
const MAX_FREEZE_PASSES = 8;

type Test = (entry: ProcessEntry) => boolean;

/** How many were killed; undefined when the root is not there. */
export function endTreeBelow(isRoot: Test, isSpared: Test = () => false): number | undefined {
  const stopped = new Set<string>();
  let tree: ProcessEntry[] = [];
  for (let pass = 0; pass < MAX_FREEZE_PASSES; pass += 1) {
    const found = descendantsOf(isRoot, isSpared);
    if (found === undefined) return undefined;
    tree = found;
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

/** Without zombies, which only their parent can reap. */
function descendantsOf(isRoot: Test, isSpared: Test): ProcessEntry[] | undefined {
  const entries = listQuietly();
  const root = entries.find(isRoot);
  if (root === undefined) return undefined;
  const below = new Set([root.pid]);
  for (let before = 0; before < below.size; ) {
    before = below.size;
    for (const entry of entries) {
      if (!below.has(entry.pid) && below.has(entry.parent) && !isSpared(entry)) below.add(entry.pid);
    }
  }
  return entries.filter((entry) => entry.pid !== root.pid && below.has(entry.pid) && !entry.isZombie);
}

/** Short of descriptors nothing is found: the root counts as gone. */
function listQuietly(): ProcessEntry[] {
  try {
    return listProcesses();
  } catch {
    return [];
  }
}
