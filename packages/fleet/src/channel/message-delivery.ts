// Hands the messages of the remote end to the receiver, each in its form.

import type { Buffer } from 'node:buffer';
import { LEAST_PAYLOAD_BYTES } from '@codex/exec-protocol';
import type { ChannelReceiver } from '@codex/exec-rpc';
import { frameMemory, messageText, payloadMemory } from '@codex/exec-rpc/bytes';
import { InboundStream } from './inbound-stream.js';

export interface DeliveryOptions {
  /** False after the goodbye: nothing more is delivered. */
  isWanted(): boolean;
  /** What came is no message. */
  malformed(what: string): void;
}

export class MessageDelivery {
  receiver: ChannelReceiver | undefined;
  acceptsBinary = false;
  readonly #options: DeliveryOptions;
  readonly #stream: InboundStream;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#stream = new InboundStream({
      text: (message) => this.#text(message),
      binary: (message) => this.#binary(message),
    });
  }

  /** The next bytes of the stream. */
  push(bytes: Buffer): void {
    if (!this.#stream.push(bytes)) this.#options.malformed('a message of the remote end is too long');
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
