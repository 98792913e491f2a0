// A sandboxed command with network access can reach this listener, runs as the same user, and would escape by asking the
// server for an unsandboxed command. So a process that is no more confined than the server has to be seen holding the
// connection. Nothing is concluded from what is not seen: a sandboxed command can hide a socket in a thread's own
// table, in a unix socket's queue, or with a process outside that does not look.
// Does not stop: a program outside of the sandbox that relays connections for it, or that takes descriptors over a unix
// socket and keeps them; a command that was started outside of a sandbox; clients with a token (auth decides there).
// Does not let in without a token: a client that hides from the server's user. Such a client can let a child process
// that does not hide hold the connection too, until it is open.

import { processTables, threadTables } from './descriptor-tables.js';
import { FreeHolderSearch } from './free-holder-search.js';

const REFUSAL =
  'connections from inside a sandbox are refused, and no process outside of one is seen to hold this one; a client in a sandbox or in another container, or one that hides its descriptors (such as ssh forwarding a port), needs websocket auth';

// Longer than either takes with tens of thousands of processes; the handshake is given 10 s.
const byProcess = new FreeHolderSearch({ tables: processTables, limitMs: 5000 });
const byThread = new FreeHolderSearch({ tables: threadTables, limitMs: 2000 });

/** The reason to refuse, or undefined. */
export async function sandboxedPeerRefusal(inode: number): Promise<string | undefined> {
  const seen = (await byProcess.find(inode)) || (await byThread.find(inode));
  return seen ? undefined : REFUSAL;
}
