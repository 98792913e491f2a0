// On loopback every user of the machine can connect, but only one of them owns this server. On Linux the connecting
// socket's uid decides: the server's own uid passes, and so does root, which controls this process anyway.
// Does not stop: another program of the same user, nor a relay that the user runs for others.

import { addressForms, type ConnectionEnds, type SocketOwner } from './socket-table.js';
import { searchOfTable } from './socket-table-search.js';

export type PeerUidVerdict =
  | { readonly ok: true; readonly uid: number; readonly inode: number }
  | { readonly ok: false; readonly message: string };

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'].map(searchOfTable);
// The kernel hands the table out in pieces, so that a busy table can hide an entry from one reading.
const ATTEMPTS = 3;

export function judgePeerUid(owner: SocketOwner | undefined, ownUid: number): PeerUidVerdict {
  if (owner === undefined) {
    return { ok: false, message: 'the owner of this loopback connection cannot be determined' };
  }
  if (owner.uid === ownUid || owner.uid === 0) return { ok: true, ...owner };
  return { ok: false, message: 'this exec-server belongs to another user' };
}

export async function lookUpPeerUid(ends: ConnectionEnds, ownUid: number): Promise<PeerUidVerdict> {
  return judgePeerUid(await lookUpPeerSocket(ends), ownUid);
}

/** Who owns the socket at the other end, whichever user that is. */
export async function lookUpPeerSocket(ends: ConnectionEnds): Promise<SocketOwner | undefined> {
  const forms = addressForms(ends);
  let owner: SocketOwner | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && owner === undefined; attempt++) {
    for (const table of TABLES) {
      owner = await table.find(...forms);
      if (owner !== undefined) break;
    }
  }
  return owner;
}
