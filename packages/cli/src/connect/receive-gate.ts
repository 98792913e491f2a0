// Back-pressure from a slow reader of this program's output to the server: while too much has arrived that was not
// passed on, the connection is not read, and the server stalls the command. Requests still go out.

import type { BinaryForm, Channel, ChannelReceiver } from '@codex/exec-rpc';

const PAUSE_ABOVE = 6 * 1024 * 1024;
const RESUME_BELOW = 1.5 * 1024 * 1024;
/** Of output as base64 in text. */
const BYTES_PER_CHARACTER = 3 / 4;

export class ReceiveGate {
  readonly #mayPause: () => boolean;
  #channel: GatedChannel | undefined;
  #backlog = 0;
  #readerWaits = false;

  /** `mayPause` says whether anything but output is not worth waiting for. */
  constructor(mayPause: () => boolean) {
    this.#mayPause = mayPause;
  }

  wrap(channel: Channel): Channel {
    this.#backlog = 0;
    this.#channel = new GatedChannel(channel, (bytes) => this.#arrived(bytes));
    return this.#channel;
  }

  /** The reader has something to pass on. */
  busy(): void {
    this.#readerWaits = false;
  }

  /** Output was passed on. */
  taken(bytes: number): void {
    this.#backlog = Math.max(0, this.#backlog - bytes);
    if (this.#backlog < RESUME_BELOW) this.#channel?.hold(false);
  }

  /**
   * Everything that arrived was passed on, and until `busy` the reader waits for more. Messages that are no output are forgotten
   * this way.
   */
  caughtUp(): void {
    this.#readerWaits = true;
    this.#backlog = 0;
    this.#channel?.hold(false);
  }

  #arrived(bytes: number): void {
    this.#backlog += bytes;
    if (this.#backlog <= PAUSE_ABOVE || !this.#mayPause()) return;
    this.#channel?.hold(true);
    // Output behind a missing piece reaches no reader before that piece is read.
    setImmediate(() => {
      if (this.#readerWaits) this.caughtUp();
    });
  }
}

/** A channel that two sides may pause: its peer, and the gate. */
class GatedChannel implements Channel {
  readonly #inner: Channel;
  readonly #onMessage: (bytes: number) => void;
  #isHeld = false;
  #isPaused = false;

  constructor(inner: Channel, onMessage: (bytes: number) => void) {
    this.#inner = inner;
    this.#onMessage = onMessage;
  }

  get label(): string {
    return this.#inner.label;
  }

  get binary(): BinaryForm | undefined {
    return this.#inner.binary;
  }

  get bufferedBytes(): number {
    return this.#inner.bufferedBytes;
  }

  hold(held: boolean): void {
    if (this.#isHeld === held) return;
    this.#isHeld = held;
    this.#apply();
  }

  start(receiver: ChannelReceiver): void {
    this.#inner.start({
      message: (text) => {
        receiver.message(text);
        this.#onMessage(text.length * BYTES_PER_CHARACTER);
      },
      binaryMessage: (bytes, release) => {
        receiver.binaryMessage?.(bytes, release);
        this.#onMessage(bytes.length);
      },
      drained: () => receiver.drained(),
      closed: (info) => receiver.closed(info),
    });
  }

  send(message: Parameters<Channel['send']>[0]): void {
    this.#inner.send(message);
  }

  pause(): void {
    this.#isPaused = true;
    this.#apply();
  }

  resume(): void {
    this.#isPaused = false;
    this.#apply();
  }

  probe(timeoutMs: number): Promise<boolean> {
    return this.#inner.probe(timeoutMs);
  }

  close(code?: number, reason?: string): void {
    this.#inner.close(code, reason);
  }

  #apply(): void {
    if (this.#isHeld || this.#isPaused) this.#inner.pause();
    else this.#inner.resume();
  }
}
