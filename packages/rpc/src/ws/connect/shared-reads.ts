// Reads the sockets of all websocket clients of this process into one buffer. Node gives every read memory of its own, and
// V8 counts it: each few megabytes that arrive set off a full garbage collection. What is read is looked at before
// anything else is read, so one buffer does for all. A reader that keeps bytes has to copy them; a channel that does
// says so with `readWithoutCopies`. Not for TLS, whose bytes are made elsewhere.

import { Buffer } from 'node:buffer';
import { connect, type NetConnectOpts, type Socket } from 'node:net';

/** A read that finds more takes fewer turns; a server writes half a megabyte at a time. */
const READ_BYTES = 256 * 1024;

let shared: Buffer | undefined;

/** The sockets that read so, and what to do after each read; undefined until a channel takes bytes without a copy. */
const readers = new WeakMap<Socket, (() => void) | undefined>();

export function connectWithSharedReads(options: NetConnectOpts): Socket {
  shared ??= Buffer.allocUnsafeSlow(READ_BYTES);
  const socket: Socket = connect({
    ...options,
    onread: {
      buffer: shared,
      callback: (bytes, buffer) => {
        deliver(socket, Buffer.from(buffer.buffer, buffer.byteOffset, bytes));
        return true;
      },
    },
  });
  readers.set(socket, undefined);
  return socket;
}

/** What this socket reads is handed out where it was read, from here on. False where it has memory of its own anyway. */
export function readWithoutCopies(socket: Socket, afterRead: () => void): boolean {
  if (!readers.has(socket)) return false;
  readers.set(socket, afterRead);
  return true;
}

export function isOfSharedRead(bytes: Uint8Array): boolean {
  return bytes.buffer === shared?.buffer;
}

function deliver(socket: Socket, bytes: Buffer): void {
  const afterRead = readers.get(socket);
  // What waits in the stream goes first.
  if (afterRead === undefined || socket.readableLength > 0 || socket.readableFlowing !== true) {
    socket.push(Buffer.from(bytes));
    return;
  }
  socket.emit('data', bytes);
  afterRead();
}
