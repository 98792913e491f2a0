// A linked pair of channels in one process. Delivery is asynchronous and ordered, and an end that is paused makes
// the other's `bufferedBytes` grow, as a socket would.

import { hasPayload, materialize, materializeBinary, type WireMessage } from '@codex/exec-protocol';
import type { BinaryForm, Channel, ChannelClose, ChannelReceiver } from './channel.js';

const LABEL = 'exec-server in-memory';

// A macrotask per delivery keeps two chatting ends from starving timers; timers stand in where there is no setImmediate.
const defer: (callback: () => void) => void =
  typeof setImmediate === 'function'
    ? (callback) => void setImmediate(callback)
    : (callback) => void setTimeout(callback, 0);

/** Two channels; what is sent on one is delivered on the other. */
export function createInMemoryChannelPair(): [Channel, Channel] {
  const left = new InMemoryChannel();
  const right = new InMemoryChannel();
  left.link(right);
  right.link(left);
  return [left, right];
}

class InMemoryChannel implements Channel {
  readonly label = LABEL;
  readonly transport = 'memory';
  #other: InMemoryChannel | undefined;
  #receiver: ChannelReceiver | undefined;
  readonly binary: BinaryForm = {
    // Both ends are of one kind: what the other one sends was agreed on.
    accept: () => {},
    send: () => {
      this.#sendsBinary = true;
    },
  };
  #sendsBinary = false;
  #inbox: (string | Uint8Array)[] = [];
  inboxBytes = 0;
  #isPaused = false;
  #isScheduled = false;
  #ending: ChannelClose | undefined;
  #hasEnded = false;

  link(other: InMemoryChannel): void {
    this.#other = other;
  }

  get canSend(): boolean {
    return this.#ending === undefined;
  }

  get bufferedBytes(): number {
    return this.#ending === undefined ? (this.#other?.inboxBytes ?? 0) : 0;
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    this.#schedule();
  }

  send(message: WireMessage): void {
    if (this.#ending !== undefined) return;
    this.#other?.accept(
      this.#sendsBinary && hasPayload(message) ? materializeBinary(message) : materialize(message),
    );
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#schedule();
  }

  probe(_timeoutMs: number): Promise<boolean> {
    return Promise.resolve(this.#ending === undefined);
  }

  close(code?: number, reason = ''): void {
    const info: ChannelClose = { ...(code === undefined ? {} : { code }), reason, clean: true };
    this.#other?.end(info);
    // What was not delivered to this end does not matter to it any more.
    this.#inbox = [];
    this.inboxBytes = 0;
    this.end(info);
  }

  accept(message: string | Uint8Array): void {
    if (this.#ending !== undefined) return;
    this.#inbox.push(message);
    this.inboxBytes += message.length;
    this.#schedule();
  }

  end(info: ChannelClose): void {
    if (this.#ending !== undefined) return;
    this.#ending = info;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#hasEnded || this.#receiver === undefined) return;
    if (this.#ending === undefined && (this.#isPaused || this.#inbox.length === 0)) return;
    this.#isScheduled = true;
    defer(() => {
      this.#isScheduled = false;
      this.#deliver();
    });
  }

  // A paused end still learns that it is over, after what came before.
  #deliver(): void {
    const receiver = this.#receiver;
    if (receiver === undefined) return;
    const batch = this.#inbox;
    let delivered = 0;
    while (
      delivered < batch.length &&
      (!this.#isPaused || this.#ending !== undefined) &&
      this.#inbox === batch
    ) {
      const message = batch[delivered++] ?? '';
      this.inboxBytes -= message.length;
      if (typeof message === 'string') receiver.message(message);
      else receiver.binaryMessage?.(message, () => {});
    }
    if (this.#inbox === batch) this.#inbox = batch.slice(delivered);
    if (delivered > 0) this.#other?.drained();
    if (this.#ending !== undefined && this.#inbox.length === 0 && !this.#hasEnded) {
      this.#hasEnded = true;
      receiver.closed(this.#ending);
    } else {
      this.#schedule();
    }
  }

  drained(): void {
    if (!this.#hasEnded && this.#ending === undefined) this.#receiver?.drained();
  }
}
