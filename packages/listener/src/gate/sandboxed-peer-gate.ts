// A sandboxed command with network access can reach this listener, runs as the same user, and would escape by asking the
// server for an unsandboxed command. So a connection held only by processes more confined than the server is refused.
// Does not stop: a command that hands its socket from process to process faster than this looks, while a client that hides
// its descriptors is running; commands started outside of a sandbox; clients with a token (auth decides there).

import { isMoreConfined } from './process-confinement.js';
import { holdsSocket, type ListedProcess, listProcesses, readStatus } from './process-table.js';

const REFUSAL = 'connections from inside a sandbox are refused; a sandboxed client needs websocket auth';

export interface SocketHolder {
  readonly uid: number;
  readonly inode: number;
}

/** The reason to refuse, or undefined. */
export async function sandboxedPeerRefusal({ uid, inode }: SocketHolder): Promise<string | undefined> {
  const own = readStatus('self');
  if (own === undefined) return undefined;
  const processes = await listProcesses(uid);
  const confined = processes.filter(({ status }) => isMoreConfined(status, own));
  if (confined.length === 0) return undefined;
  const free = processes.filter(({ status }) => !isMoreConfined(status, own));
  const freeHolder = await findHolder(free, inode);
  const confinedHolder = freeHolder === 'found' ? 'none' : await findHolder(confined, inode);
  return mayBeOutside(freeHolder, confinedHolder) ? undefined : REFUSAL;
}

export type HolderSearch = 'found' | 'hidden' | 'none';

/** A free process that hides its descriptors may be the client (Codex hides them); without one nobody else is left. */
export function mayBeOutside(free: HolderSearch, confined: HolderSearch): boolean {
  return free === 'found' || (free === 'hidden' && confined === 'none');
}

async function findHolder(processes: readonly ListedProcess[], inode: number): Promise<HolderSearch> {
  let hidden = false;
  for (const { pid } of processes) {
    const holds = await holdsSocket(pid, inode);
    if (holds === true) return 'found';
    if (holds === 'hidden') hidden = true;
  }
  return hidden ? 'hidden' : 'none';
}
