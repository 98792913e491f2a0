// The processes of this machine at one time, found by pid, by parent and by session without a walk over all of them.
import type { ProcessEntry } from '../../process-table.js';

export class ProcessSnapshot {
  readonly #byPid = new Map<number, ProcessEntry>();
  readonly #byParent = new Map<number, ProcessEntry[]>();
  readonly #bySession = new Map<number, ProcessEntry[]>();

  constructor(entries: Iterable<ProcessEntry>) {
    for (const entry of entries) {
      this.#byPid.set(entry.pid, entry);
      append(this.#byParent, entry.parent, entry);
      append(this.#bySession, entry.session, entry);
    }
  }

  get(pid: number): ProcessEntry | undefined {
    return this.#byPid.get(pid);
  }

  /** Without zombies, which only their parent can reap. */
  inSession(session: number): ProcessEntry[] {
    return (this.#bySession.get(session) ?? []).filter(({ isZombie }) => !isZombie);
  }

  /** Everything below the process, parents first, without zombies and without whole branches that are spared. */
  below(pid: number, isSpared: (entry: ProcessEntry) => boolean): ProcessEntry[] {
    const found: ProcessEntry[] = [];
    const seen = new Set([pid]);
    for (const parent of seen) {
      for (const child of this.#byParent.get(parent) ?? []) {
        if (seen.has(child.pid) || isSpared(child)) continue;
        seen.add(child.pid);
        if (!child.isZombie) found.push(child);
      }
    }
    return found;
  }
}

function append(lists: Map<number, ProcessEntry[]>, key: number, entry: ProcessEntry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}
