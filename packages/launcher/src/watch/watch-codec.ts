// The records between a process and its `codex-launcher --watch`. Paths and names are bytes. Twin: native/watch.c.
import { Buffer } from 'node:buffer';

const COMMAND_ADD = 1;
const COMMAND_REMOVE = 2;
const RECORD_ADDED = 1;

const COMMAND_BYTES = 16;
const RECORD_BYTES = 20;

/** From <sys/inotify.h>; the same on every architecture. */
export const INOTIFY = {
  modify: 0x2,
  attrib: 0x4,
  movedFrom: 0x40,
  movedTo: 0x80,
  create: 0x100,
  delete: 0x200,
  deleteSelf: 0x400,
  moveSelf: 0x800,
  unmount: 0x2000,
  overflow: 0x4000,
  ignored: 0x8000,
  onlyDirectory: 0x1000000,
  dontFollow: 0x2000000,
  isDirectory: 0x40000000,
} as const;

export type WatchRecord =
  | { readonly type: 'added'; readonly request: number /** Negative: an errno. */; readonly watch: number }
  | {
      readonly type: 'event';
      readonly watch: number;
      readonly mask: number;
      readonly cookie: number;
      readonly name: Buffer | undefined;
    };

export function encodeAdd(request: number, path: Uint8Array, mask: number): Buffer {
  return Buffer.concat([command(COMMAND_ADD, request, { mask, length: path.length }), path]);
}

export function encodeRemove(watch: number): Buffer {
  return command(COMMAND_REMOVE, watch, { mask: 0, length: 0 });
}

function command(type: number, a: number, rest: { mask: number; length: number }): Buffer {
  const header = Buffer.alloc(COMMAND_BYTES);
  header.writeUInt32LE(type, 0);
  header.writeUInt32LE(a, 4);
  header.writeUInt32LE(rest.mask, 8);
  header.writeUInt32LE(rest.length, 12);
  return header;
}

/** Takes the stream in pieces of any size. */
export class WatchRecordDecoder {
  #rest: Buffer = Buffer.alloc(0);

  *push(piece: Buffer): Generator<WatchRecord> {
    const bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    let at = 0;
    while (bytes.length - at >= RECORD_BYTES) {
      const length = bytes.readUInt32LE(at + 16);
      if (bytes.length - at < RECORD_BYTES + length) break;
      yield decode(bytes, at, length);
      at += RECORD_BYTES + length;
    }
    this.#rest = bytes.subarray(at);
  }
}

function decode(bytes: Buffer, at: number, length: number): WatchRecord {
  const watch = bytes.readInt32LE(at + 4);
  const cookie = bytes.readUInt32LE(at + 12);
  if (bytes.readUInt32LE(at) === RECORD_ADDED) return { type: 'added', request: cookie, watch };
  const start = at + RECORD_BYTES;
  // A copy: the piece is one large buffer, and a name may be kept for long.
  const name = length === 0 ? undefined : Buffer.from(bytes.subarray(start, start + length));
  return { type: 'event', watch, mask: bytes.readUInt32LE(at + 8), cookie, name };
}
