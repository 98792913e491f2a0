// Back-pressure from a slow reader of this program's output to the server: while too much has arrived that was not
// passed on, the connection is not read, and the server stalls the command. Requests still go out.

import type { Channel, ChannelReceiver } from '@codex/exec-rpc';

const PAUSE_ABOVE = 8 * 1024 * 1024;
const RESUME_BELOW = 2 * 1024 * 1024;
/** Output travels as base64: four characters for three bytes. */
const CHARACTERS_PER_BYTE = 4 / 3;

export class ReceiveGate {
  readonly #mayPause: () => boolean;
  #channel: GatedChannel | undefined;
  #backlog = 0;

  /** `mayPause` says whether anything but output is not worth waiting for. */
  constructor(mayPause: () => boolean) {
    this.#mayPause = mayPause;
  }

  wrap(channel: Channel): Channel {
    this.#backlog = 0;
    this.#channel = new GatedChannel(channel, (characters) => this.#arrived(characters));
    return this.#channel;
  }

  /** Output was passed on. */
  taken(bytes: number): void {
    this.#backlog = Math.max(0, this.#backlog - bytes * CHARACTERS_PER_BYTE);
    if (this.#backlog < RESUME_BELOW) this.#channel?.hold(false);
  }

  /** Everything that arrived was passed on. Messages that are no output are forgotten this way. */
  caughtUp(): void {
    this.#backlog = 0;
    this.#channel?.hold(false);
  }

  #arrived(characters: number): void {
    this.#backlog += characters;
    if (this.#backlog > PAUSE_ABOVE && this.#mayPause()) this.#channel?.hold(true);
  }
}

/** A channel that two sides may pause: its peer, and the gate. */
class GatedChannel implements Channel {
  readonly #inner: Channel;
  readonly #onMessage: (characters: number) => void;
  #isHeld = false;
  #isPaused = false;

  constructor(inner: Channel, onMessage: (characters: number) => void) {
    this.#inner = inner;
    this.#onMessage = onMessage;
  }

  get label(): string {
    return this.#inner.label;
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
        this.#onMessage(text.length);
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
