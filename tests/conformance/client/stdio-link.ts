// A program that speaks the protocol as lines on stdin and stdout, with binary messages between them.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { HEADER_BYTES } from './binary-form.js';
import type { Link, LinkReceiver } from './link.js';

const BINARY_KIND = 1;

/** Of the first message, with the end of its line; undefined while it is not whole. */
function messageLength(bytes: Buffer): number | undefined {
  const isBinary = bytes[0] === BINARY_KIND;
  if (!isBinary) return bytes.includes('\n') ? bytes.indexOf('\n') + 1 : undefined;
  if (bytes.length < HEADER_BYTES) return undefined;
  const length = HEADER_BYTES + bytes.readUInt32BE(1) + bytes.readUInt32BE(5);
  return bytes.length < length ? undefined : length;
}

export function stdioLink(child: ChildProcessWithoutNullStreams): Link {
  return {
    start(receiver: LinkReceiver) {
      let rest: Buffer = Buffer.alloc(0);
      child.stdout.on('data', (bytes: Buffer) => {
        rest = Buffer.concat([rest, bytes]);
        for (let length = messageLength(rest); length !== undefined; length = messageLength(rest)) {
          const message = rest.subarray(0, length);
          if (message[0] === BINARY_KIND) receiver.binary(message);
          else receiver.text(message.toString('utf8', 0, length - 1));
          rest = rest.subarray(length);
        }
      });
      child.on('close', (code, signal) => {
        if (rest.length > 0) receiver.text(rest.toString('utf8'));
        receiver.ended({ code, reason: signal ?? '' });
      });
    },
    send(frame) {
      child.stdin.write(frame);
      if (frame[0] !== BINARY_KIND) child.stdin.write('\n');
    },
    close: () => child.stdin.end(),
    drop: () => child.kill('SIGKILL'),
  };
}
