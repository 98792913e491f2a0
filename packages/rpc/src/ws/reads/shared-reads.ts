// Reads the sockets of all websockets of this process into one buffer. Node gives every read memory of its own, and V8
// counts it: each few megabytes that arrive set off a full garbage collection. What is read is looked at before anything
// else is read, so one buffer does for all. Whoever keeps bytes of it copies them (`isOfSharedRead`). A frame that is being
// gathered is read straight into its own memory (`ReadTaker.room`).
// Node offers this (`onread`) to sockets that connect and not to accepted ones, so this reaches into a socket: where that
// looks different from what is known here, nothing is changed. Not for TLS, whose bytes are made elsewhere, and not on
// Windows, where a read is under way before its bytes are there.

import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';

/** A read that finds more takes fewer turns; a server writes half a megabyte at a time. */
const READ_BYTES = 256 * 1024;

let shared: Buffer | undefined;

/** Takes the beginning of a frame, of which the rest is then read to its place. */
const SHORT_READ_BYTES = 16 * 1024;

export interface ReadTaker {
  /** Of the next read little is to be copied: a long frame is expected to begin with it. */
  readonly isBetweenLongFrames: boolean;
  /** Memory of the taker's own that the next read fills from its beginning; undefined: the shared buffer. */
  room(): Buffer | undefined;
  /** The first bytes of the room were read. Returns whether the reader of the stream has to look at it. */
  filled(bytes: number): boolean;
  /** After each read that was handed out: what is kept of the shared buffer has to be copied now. */
  afterRead(): void;
}

/** The members of a socket that Node's own `onread` sets. */
interface SocketInternals {
  readonly handle: { useUserBuffer(buffer: Buffer): void };
  readonly buffer: symbol;
  readonly callback: symbol;
  readonly generator: symbol;
}

const NOTHING = Buffer.alloc(0);

/** What this socket reads is handed out where it was read, from here on. False where it has memory of its own as before. */
export function shareReads(socket: Socket, taker: ReadTaker): boolean {
  const internals = internalsOf(socket);
  if (internals === undefined) return false;
  const common = sharedMemory();
  const beginning = common.subarray(0, SHORT_READ_BYTES);
  let target = common;
  Reflect.set(socket, internals.buffer, common);
  Reflect.set(socket, internals.callback, (count: number) => {
    if (target === common || target === beginning) hand(socket, common.subarray(0, count), taker);
    else if (taker.filled(count)) hand(socket, NOTHING, taker);
    // Reading is stopped by `pause` alone.
    return true;
  });
  Reflect.set(socket, internals.generator, () => {
    // What waits in the stream comes before the rest of a frame.
    const room = socket.readableLength === 0 ? taker.room() : undefined;
    target = room ?? (taker.isBetweenLongFrames ? beginning : common);
    return target;
  });
  internals.handle.useUserBuffer(common);
  return true;
}

export function canShareReads(socket: Socket): boolean {
  return internalsOf(socket) !== undefined;
}

export function isOfSharedRead(bytes: Uint8Array): boolean {
  return bytes.buffer === shared?.buffer;
}

function sharedMemory(): Buffer {
  shared ??= Buffer.allocUnsafeSlow(READ_BYTES);
  return shared;
}

function hand(socket: Socket, bytes: Buffer, taker: ReadTaker): void {
  // What waits in the stream goes first. Of a frame that was read in place nothing waits, and it is whole.
  if (bytes.length > 0 && (socket.readableLength > 0 || socket.readableFlowing !== true)) {
    socket.push(Buffer.from(bytes));
    return;
  }
  socket.emit('data', bytes);
  taker.afterRead();
}

function internalsOf(socket: Socket): SocketInternals | undefined {
  if (process.platform === 'win32' || 'encrypted' in socket) return undefined;
  const handle: unknown = Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return undefined;
  if (typeof Reflect.get(handle, 'useUserBuffer') !== 'function') return undefined;
  const [buffer, callback, generator] = ['kBuffer', 'kBufferCb', 'kBufferGen'].map((name) =>
    Object.getOwnPropertySymbols(socket).find(
      (symbol) => symbol.description === name && Reflect.get(socket, symbol) === null,
    ),
  );
  if (buffer === undefined || callback === undefined || generator === undefined) return undefined;
  return { handle: handle as SocketInternals['handle'], buffer, callback, generator };
}
