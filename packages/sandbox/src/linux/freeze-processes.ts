// Stops a set of processes for a moment and lets them go on. Used to find out who is at the other end of a connection:
// whoever still answers is not among them.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

const maxPasses = 50;

/** The processes below `roots`, parents before children; the roots themselves are not among them. */
export function descendantsOf(roots: ReadonlySet<number>): ProcessFacts[] {
  const children = new Map<number, ProcessFacts[]>();
  for (const name of readdirSync('/proc')) {
    const facts = /^\d+$/.test(name) ? readFacts(Number(name)) : undefined;
    if (facts !== undefined) children.set(facts.parent, [...(children.get(facts.parent) ?? []), facts]);
  }
  const found: ProcessFacts[] = [];
  const pending = [...roots];
  for (let pid = pending.shift(); pid !== undefined; pid = pending.shift()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child);
      pending.push(child.pid);
    }
  }
  return found;
}

/**
 * Runs `task` while everything below `roots` stands still. Undefined when it could not be brought to a halt.
 * Processes that were stopped before stay stopped.
 */
export async function whileFrozen<Result>(
  roots: ReadonlySet<number>,
  task: () => Promise<Result>,
): Promise<Result | undefined> {
  const stopped: number[] = [];
  try {
    for (let pass = 0; ; pass += 1) {
      // A process that was not stopped yet may have started another one since the last pass.
      const running = descendantsOf(roots).filter(({ state }) => !/[TtZX]/.test(state));
      if (running.length === 0) return await task();
      if (pass === maxPasses) return undefined;
      for (const { pid } of running) {
        if (signal(pid, 'SIGSTOP') && !stopped.includes(pid)) stopped.push(pid);
      }
      if (pass > 0) await sleep(2);
    }
  } finally {
    // Children first: a shell that wakes while its child stands still takes it for a stopped job.
    for (const pid of stopped.reverse()) signal(pid, 'SIGCONT');
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function readFacts(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), state };
  } catch {
    return undefined;
  }
}
