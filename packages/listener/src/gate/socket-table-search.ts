// Looks connections up in one of the kernel's socket tables. The kernel walks all of its table, which has places for
// hundreds of thousands of sockets, for each reading to the end, and once more to say that this was the end: milliseconds,
// however few sockets there are. So a search stops where everybody has what it asked for.

import { Buffer } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { breathe } from './pacer.js';
import { SharedSearch, type Wanted } from './shared-search.js';
import { findSockets, type SocketOwner } from './socket-table.js';

/** The kernel gives whole lines, up to a page of them, as long as there is room for one. */
const page = Buffer.alloc(16 * 1024);

/** Its keys are the ends of a connection as the table writes them. */
export function searchOfTable(path: string): SharedSearch<SocketOwner> {
  return new SharedSearch((wanted) => search(path, wanted));
}

async function search(path: string, wanted: Wanted<SocketOwner>): Promise<void> {
  const file = openSync(path, 'r');
  try {
    let cut = '';
    while (!wanted.isEmpty) {
      const length = readSync(file, page);
      if (length === 0) return;
      const lines = cut + page.toString('latin1', 0, length);
      const whole = lines.lastIndexOf('\n') + 1;
      cut = lines.slice(whole);
      findSockets(
        lines.slice(0, whole),
        (ends) => wanted.has(ends),
        (ends, owner) => wanted.settle(ends, owner),
      );
      await breathe();
    }
  } finally {
    closeSync(file);
  }
}
