// Hands the messages of the remote end to the receiver, each in its form. A long one that is not whole yet needs room, and has to
// wait where there is none.

import type { Buffer } from 'node:buffer';
import { LEAST_PAYLOAD_BYTES } from '@codex/exec-protocol';
import type { ChannelReceiver } from '@codex/exec-rpc';
import { frameMemory, messageText, payloadMemory } from '@codex/exec-rpc/bytes';
import { InboundStream } from './inbound-stream.js';
import type { MessageRoom, RoomUser } from './message-room.js';

export interface DeliveryOptions {
  readonly room: MessageRoom;
  /** Whose messages are counted together. */
  readonly owner: string;
  readonly now: () => number;
  /** False after the goodbye: nothing more is delivered. */
  isWanted(): boolean;
  /** What came is no message. */
  malformed(what: string): void;
  /** The message that waited for room may go on. */
  roomGiven(): void;
  /** The message was not finished for too long while others waited. */
  unfinished(): void;
}

export class MessageDelivery {
  receiver: ChannelReceiver | undefined;
  acceptsBinary = false;
  readonly #options: DeliveryOptions;
  readonly #stream: InboundStream;
  readonly #user: RoomUser;
  #claimedBytes = 0;
  #mustWait = false;
  #isClosed = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#user = {
      owner: options.owner,
      roomGiven: () => {
        this.#mustWait = false;
        options.roomGiven();
      },
      roomTaken: () => options.unfinished(),
    };
    this.#stream = new InboundStream({
      text: (message) => {
        this.#claim(0);
        this.#text(message);
      },
      binary: (message) => {
        this.#claim(0);
        this.#binary(message);
      },
    });
  }

  /** There is no room for the message that was begun: its next bytes have to wait. */
  get mustWait(): boolean {
    return this.#mustWait;
  }

  /** The next bytes of the stream. */
  push(bytes: Buffer): void {
    if (!this.#stream.push(bytes)) this.#options.malformed('a message of the remote end is too long');
    this.#claim(this.#stream.unfinishedBytes);
  }

  /** What still comes are the last bytes there are, and need no more room than they have. */
  close(): void {
    this.#isClosed = true;
    this.#mustWait = false;
    this.#options.room.leave(this.#user, this.#options.now());
  }

  #claim(bytes: number): void {
    if (bytes === this.#claimedBytes || this.#isClosed) return;
    this.#claimedBytes = bytes;
    this.#mustWait = !this.#options.room.claim(this.#user, bytes, this.#options.now());
  }

  /** Before the binary form was accepted, such a message has to be text. */
  #binary(message: Buffer): void {
    const { receiver } = this;
    if (!this.acceptsBinary || receiver?.binaryMessage === undefined) this.#text(message);
    else if (this.#options.isWanted()) receiver.binaryMessage(message, () => frameMemory.release(message));
  }

  #text(message: Buffer): void {
    const { receiver } = this;
    if (receiver === undefined || !this.#options.isWanted()) return;
    if (message.length >= LEAST_PAYLOAD_BYTES && receiver.longMessage?.(message, payloadMemory) === true)
      return;
    const text = messageText(message);
    if (text === undefined) this.#options.malformed('a message of the remote end is not valid UTF-8');
    else receiver.message(text);
  }
}
