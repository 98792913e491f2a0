// On loopback every user of the machine can connect, but only one of them owns this server. On Linux the connecting
// socket's uid decides: the server's own uid passes, and so does root, which controls this process anyway.
// Does not stop: another program of the same user, nor a relay that the user runs for others.

import { Buffer } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { breathe } from './pacer.js';
import { shareReadings } from './shared-reading.js';
import { type ConnectionEnds, findSocketOwner, type SocketOwner } from './socket-table.js';

export type PeerUidVerdict =
  | { readonly ok: true; readonly uid: number; readonly inode: number }
  | { readonly ok: false; readonly message: string };

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => shareReadings(() => readTable(path)));
// The kernel hands the table out in pieces, so that a busy table can hide an entry from one reading.
const ATTEMPTS = 3;
const READ_BYTES = 16 * 1024;

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
  let owner: SocketOwner | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && owner === undefined; attempt++) {
    for (const table of TABLES) {
      const text = await table();
      // All that wait for one reading go on together, and each searches all of it.
      await breathe();
      owner = findSocketOwner(text, ends);
      if (owner !== undefined) break;
    }
  }
  return owner;
}

async function readTable(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const file = openSync(path, 'r');
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(READ_BYTES);
      const length = readSync(file, piece);
      if (length === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, length));
      await breathe();
    }
  } finally {
    closeSync(file);
  }
}
