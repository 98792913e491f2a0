// Which processes run inside a sandbox that this process started. A server needs it for one question: does the other end
// of a loopback connection belong to one of its own sandboxed commands? With the network enabled such a command reaches
// every local port, runs as the same user, and could ask the server for a command outside.
//
// It knows processes by descent: everything in a sandbox is a descendant of its wrapper, because orphans go to the reaper
// inside. It does not see through a relay, a program outside that connects on behalf of the command.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { whileFrozen } from './freeze-processes.js';

/** `hidden`: somebody inside keeps its descriptors from being looked at, and nobody outside was found to hold it. */
export type SocketHolder = 'inside' | 'outside' | 'hidden' | 'nobody';

export class SandboxedTrees {
  readonly #roots = new Set<number>();

  get size(): number {
    return this.#roots.size;
  }

  /** `pid` is the wrapper that was started, as the launcher or `spawnPrepared` gives it. Call the result when it is gone. */
  add(pid: number): () => void {
    this.#roots.add(pid);
    return () => this.#roots.delete(pid);
  }

  contains(pid: number): boolean {
    // The chain is short; the bound is for a table that changes while it is read.
    for (
      let at: number | undefined = pid, steps = 0;
      at !== undefined && at > 1 && steps < 1000;
      steps += 1
    ) {
      if (this.#roots.has(at)) return true;
      at = parentOf(at);
    }
    return false;
  }

  /** Who has this socket open. `inode` is what /proc/net/tcp shows for the connecting end. */
  holderOf(inode: number): SocketHolder {
    const wanted = `socket:[${inode}]`;
    let outside = false;
    let hidden = false;
    for (const name of readdirSync('/proc')) {
      const pid = Number(name);
      if (!Number.isInteger(pid)) continue;
      const holds = holdsDescriptor(pid, wanted);
      if (holds === false) continue;
      const inside = this.contains(pid);
      if (holds === true && inside) return 'inside';
      if (holds === true) outside = true;
      else if (inside) hidden = true;
    }
    if (outside) return 'outside';
    return hidden ? 'hidden' : 'nobody';
  }

  /** Why a connection has to be refused, or undefined. It says nothing about a socket that nobody visible holds. */
  refusePeer(inode: number): string | undefined {
    if (this.#roots.size === 0) return undefined;
    const holder = this.holderOf(inode);
    return holder === 'inside' || holder === 'hidden' ? refusal : undefined;
  }

  /**
   * The last word on a peer that nobody visible holds: a client that hides its descriptors looks like a command that
   * keeps a descriptor on its way between two of its processes. Every sandboxed command stands still while `answers`
   * asks the peer for a sign of life, so only a peer outside can give one.
   */
  async refuseSilentPeer(answers: () => Promise<boolean>): Promise<string | undefined> {
    if (this.#roots.size === 0) return undefined;
    return (await whileFrozen(this.#roots, answers)) === true ? undefined : refusal;
  }
}

const refusal = 'the connection comes from inside a sandbox of this server';

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
  } catch {
    return undefined;
  }
}

/** Undefined when the process does not let this user look. */
function holdsDescriptor(pid: number, wanted: string): boolean | undefined {
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? undefined : false;
  }
  return names.some((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`) === wanted;
    } catch {
      return false;
    }
  });
}
