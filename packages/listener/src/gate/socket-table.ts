// The text of the kernel's socket tables (/proc/net/tcp and tcp6, Linux): who owns which connection.

import { Buffer } from 'node:buffer';
import { endianness } from 'node:os';

export interface ConnectionEnds {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

export interface SocketOwner {
  readonly uid: number;
  readonly inode: number;
}

/** Calls `found` for each connection among these lines that is wanted. `ends` is how the table writes its two ends. */
export function findSockets(
  lines: string,
  isWanted: (ends: string) => boolean,
  found: (ends: string, owner: SocketOwner) => void,
): void {
  for (const line of lines.split('\n')) {
    const begin = line.indexOf(': ') + 2;
    const ends = line.slice(begin, line.indexOf(' ', line.indexOf(' ', begin) + 1));
    if (!isWanted(ends)) continue;
    // local remote state queues timer retransmits uid timeout inode
    const fields = line.slice(begin).split(/\s+/);
    const owner = { uid: Number(fields[6]), inode: Number(fields[8]) };
    // Without an inode no process holds the socket any more: the kernel then shows uid 0, which must not pass for root.
    if (Number.isInteger(owner.uid) && Number.isInteger(owner.inode) && owner.inode > 0) found(ends, owner);
  }
}

// How the table writes the ends of the remote end's socket, which is listed with its own side first. An IPv4 connection may be made by an IPv6 socket.
export function addressForms(ends: ConnectionEnds): string[] {
  const pair = (toHex: (address: string) => string): string =>
    `${toHex(ends.remoteAddress)}:${hexPort(ends.remotePort)} ${toHex(ends.localAddress)}:${hexPort(ends.localPort)}`;
  // The kernel gave the address, so this tells. (`isIPv6` would do, and takes 5 ms to compile its expression.)
  if (ends.remoteAddress.includes(':')) return [pair(hexV6)];
  return [pair(hexV4), pair((address) => hexV6(`::ffff:${address}`))];
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}

function hexV4(address: string): string {
  return hexWords(Buffer.from(address.split('.').map(Number)));
}

function hexV6(address: string): string {
  return hexWords(v6Bytes(address));
}

// The kernel prints each 32-bit word as a number in its own byte order.
function hexWords(bytes: Buffer): string {
  let text = '';
  for (let offset = 0; offset < bytes.length; offset += 4) {
    const word = endianness() === 'LE' ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset);
    text += word.toString(16).toUpperCase().padStart(8, '0');
  }
  return text;
}

function v6Bytes(address: string): Buffer {
  const text = (address.split('%')[0] ?? '').replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
    return [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':');
  });
  const [head = '', tail] = text.split('::');
  const groups = (part: string | undefined): number[] =>
    part === undefined || part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const front = groups(head);
  const back = groups(tail);
  const middle = new Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0);
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...front, ...middle, ...back].slice(0, 8).entries()) {
    bytes.writeUInt16BE(group, index * 2);
  }
  return bytes;
}
