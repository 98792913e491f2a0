// Joins a client's channel and a machine's: what comes on one goes out on the other as it is. A side that does not take
// what it is sent stops the other side from being read, and nothing else.

import { Buffer } from 'node:buffer';
import type { Channel, ChannelClose } from '@codex/exec-rpc';
import { CLOSE_BROKEN } from '../channel/close-payload.js';
import { LENGTH_BYTES } from '../channel/message-length.js';
import type { NatsChannel } from '../channel/nats-channel.js';
import { ReadMarks } from './read-marks.js';

const PAUSE_ABOVE_BYTES = 1024 * 1024;
const RESUME_BELOW_BYTES = PAUSE_ABOVE_BYTES / 2;
/** What is passed on from memory that is not this program's own is copied by the channel up to here. */
const COPIED_BYTES = 256 * 1024;
/** "Service restart": the client should come again, and will find its session. */
const CLOSE_COME_AGAIN = 1012;

export class Splice {
  readonly #client: Channel;
  readonly #machine: NatsChannel;
  readonly #marks = new ReadMarks();
  #isClientPaused = false;
  #isMachinePaused = false;

  constructor(client: Channel, machine: NatsChannel) {
    this.#client = client;
    this.#machine = machine;
  }

  /** From here on the machine's messages go to the client. What form they have is between the two ends. */
  start(): void {
    this.#machine.binary.accept();
    this.#machine.start({
      message: (text) => {
        this.#client.send(text);
        this.#forwarded(Buffer.byteLength(text));
      },
      // Most of what passes is output. It is no text here, only bytes that came in a frame of text.
      longMessage: (bytes) => {
        if (this.#client.pass === undefined) return false;
        this.#client.pass(bytes.length > COPIED_BYTES ? Buffer.from(bytes) : bytes, false);
        this.#forwarded(bytes.length);
        return true;
      },
      binaryMessage: (bytes) => {
        this.#client.pass?.(bytes, true);
        this.#forwarded(bytes.length);
      },
      drained: () => this.#machineDrained(),
      closed: (info) => this.#client.close(closeCodeFor(info), info.reason),
    });
  }

  toMachine(message: string | Uint8Array): void {
    if (typeof message === 'string') this.#machine.send(message);
    else this.#machine.pass(message, true);
    if (this.#machine.queuedBytes <= PAUSE_ABOVE_BYTES || this.#isClientPaused) return;
    this.#isClientPaused = true;
    this.#client.pause();
  }

  clientDrained(): void {
    this.#confirm();
    if (!this.#isMachinePaused || this.#client.bufferedBytes >= RESUME_BELOW_BYTES) return;
    this.#isMachinePaused = false;
    this.#machine.resume();
  }

  clientClosed({ code, reason }: ChannelClose): void {
    this.#confirm();
    this.#machine.close(code === CLOSE_BROKEN ? undefined : code, reason);
  }

  #forwarded(bytes: number): void {
    this.#marks.forwarded(LENGTH_BYTES + bytes, this.#client.sentBytes ?? 0);
    this.#confirm();
    if (this.#client.bufferedBytes <= PAUSE_ABOVE_BYTES || this.#isMachinePaused) return;
    this.#isMachinePaused = true;
    this.#machine.pause();
  }

  #machineDrained(): void {
    if (!this.#isClientPaused || this.#machine.queuedBytes >= RESUME_BELOW_BYTES) return;
    this.#isClientPaused = false;
    this.#client.resume();
  }

  /** A client that does not tell what it reads counts as having read what it was sent. */
  #confirm(): void {
    const { readBytes = Number.POSITIVE_INFINITY } = this.#client;
    const read = this.#marks.readUpTo(readBytes);
    if (read !== undefined) this.#machine.markRead(read);
  }
}

function closeCodeFor({ code }: ChannelClose): number {
  return code === undefined || code === CLOSE_BROKEN ? CLOSE_COME_AGAIN : code;
}
