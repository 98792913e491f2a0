// A channel over a pair of byte streams: one JSON message per line, and binary messages between lines. At the end of the input the channel ends, when what
// was read is answered.

import type { Buffer } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import { MAX_MESSAGE_BYTES, type WireMessage } from '@codex/exec-protocol';
import { messageText } from '../bytes/message-text.js';
import {
  type BinaryForm,
  type Channel,
  type ChannelClose,
  type ChannelReceiver,
  CLOSE_NOT_UTF8,
  CLOSE_TOO_LARGE,
} from '../channel.js';
import { dropStalledOutput } from './drop-stalled-output.js';
import { LineBatch } from './line-batch.js';
import { MessageSplitter } from './message-splitter.js';

export interface StdioChannelOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Default `exec-server stdio`. */
  readonly label?: string;
  /** Default 64 MiB. */
  readonly maxLineBytes?: number;
  /** A line that is too long or not UTF-8 is dropped and told here. Without this it ends the channel. */
  readonly onBadLine?: (reason: string) => void;
  /**
   * What is too long is skipped and told to the receiver. For a server, which answers it; a client that skipped an answer would
   * wait for it for ever.
   */
  readonly skipsTooLong?: boolean;
}

/** How long answers may take after the end of the input. A long poll of a client that is gone holds nothing up for longer. */
const ANSWER_MS = 5_000;

export function createStdioChannel(options: StdioChannelOptions): Channel {
  return new StdioChannel(options);
}

class StdioChannel implements Channel {
  readonly label: string;
  readonly transport = 'stdio';
  readonly #input: Readable;
  readonly #output: Writable;
  readonly binary: BinaryForm = {
    accept: () => this.#messages.acceptBinary(),
    send: () => this.#batch.useBinary(),
  };
  readonly #messages: MessageSplitter;
  readonly #batch: LineBatch;
  readonly #onBadLine: ((reason: string) => void) | undefined;
  #receiver: ChannelReceiver | undefined;
  #hasEnded = false;
  #isAnswering = false;
  #isDrainScheduled = false;

  constructor({
    input,
    output,
    label = 'exec-server stdio',
    maxLineBytes = MAX_MESSAGE_BYTES,
    onBadLine,
    skipsTooLong = false,
  }: StdioChannelOptions) {
    this.label = label;
    this.#input = input;
    this.#output = output;
    this.#onBadLine = onBadLine;
    this.#messages = new MessageSplitter(maxLineBytes, {
      line: (line) => this.#receive(line),
      binary: (message) => {
        if (!this.#hasEnded) this.#receiver?.binaryMessage?.(message, () => {});
      },
      tooLong: (reason) => {
        if (!skipsTooLong) this.#reportBadLine(reason, CLOSE_TOO_LARGE);
        else if (!this.#hasEnded) this.#receiver?.skipped?.(reason);
      },
    });
    this.#batch = new LineBatch(output, () => this.#scheduleDrained());
  }

  get bufferedBytes(): number {
    return this.#output.writableLength;
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    this.#input.on('data', (chunk: Buffer) => {
      if (!this.#hasEnded) this.#messages.push(chunk);
    });
    this.#input.once('end', () => this.#finish());
    this.#input.once('close', () => this.#finish());
    this.#input.once('error', (error) =>
      this.#end({ reason: `input failed: ${error.message}`, clean: false }),
    );
    this.#output.once('error', (error) =>
      this.#end({ reason: `output failed: ${error.message}`, clean: false }),
    );
    this.#output.once('close', () => this.#end({ reason: 'output closed', clean: false }));
    if (this.#input.readableEnded || this.#input.destroyed) queueMicrotask(() => this.#finish());
  }

  send(message: WireMessage): void {
    if (!this.#hasEnded && this.#output.writable) this.#batch.add(message);
  }

  pause(): void {
    this.#input.pause();
  }

  resume(): void {
    if (!this.#hasEnded) this.#input.resume();
  }

  // Streams have no ping. A pipe whose other end is gone ends the input or fails the output, so open means alive.
  probe(_timeoutMs: number): Promise<boolean> {
    return Promise.resolve(!this.#hasEnded);
  }

  close(code?: number, reason = ''): void {
    this.#end({ ...(code === undefined ? {} : { code }), reason, clean: true });
  }

  #receive(line: Buffer): void {
    if (this.#hasEnded) return;
    const text = messageText(line);
    if (text === undefined) this.#reportBadLine('line is not valid UTF-8', CLOSE_NOT_UTF8);
    else if (text.trim() !== '') this.#receiver?.message(text);
  }

  /** The code is that of a websocket which ends for the same reason. */
  #reportBadLine(reason: string, code: number): void {
    if (this.#hasEnded) return;
    if (this.#onBadLine === undefined) this.#end({ code, reason, clean: false });
    else this.#onBadLine(reason);
  }

  #finish(): void {
    if (this.#hasEnded || this.#isAnswering) return;
    this.#messages.end();
    const end = (): void => this.#end({ reason: 'end of input', clean: true });
    const answered = this.#receiver?.inputEnded?.();
    if (answered === undefined) {
      end();
      return;
    }
    this.#isAnswering = true;
    const timer = setTimeout(end, ANSWER_MS);
    void answered.then(() => {
      clearTimeout(timer);
      end();
    });
  }

  #end(info: ChannelClose): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#batch.flush();
    if (!this.#output.destroyed) {
      this.#output.end();
      dropStalledOutput(this.#output);
    }
    // Late errors of either stream have been answered by this end.
    this.#input.on('error', () => {});
    this.#output.on('error', () => {});
    this.#input.destroy();
    queueMicrotask(() => this.#receiver?.closed(info));
  }

  #scheduleDrained(): void {
    if (this.#isDrainScheduled) return;
    this.#isDrainScheduled = true;
    setImmediate(() => {
      this.#isDrainScheduled = false;
      if (!this.#hasEnded) this.#receiver?.drained();
    });
  }
}
