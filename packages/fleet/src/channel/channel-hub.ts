// All channels of one connection behind one subscription: opening a channel costs the broker nothing. What belongs to no
// channel any more is answered with a reset, so that its sender need not wait for its silence to be noticed.

import type { Buffer } from 'node:buffer';
import type { Msg, Subscription } from '@nats-io/transport-node';
import type { BrokerLink } from '../broker/broker-link.js';
import type { HubMeter } from './channel-meter.js';
import type { ChannelPort } from './channel-options.js';
import { decodeFrame, FrameKind, HEADER_BYTES, RESET } from './frame.js';
import type { Relay } from './heartbeat/heartbeat.js';
import { PassedTime } from './heartbeat/passed-time.js';
import type { MessageRoom } from './inbound/message-room.js';
import { NatsChannel } from './nats-channel.js';
import { LEAST_WINDOW_BYTES, type WindowBudget } from './window-budget.js';

export interface HubOptions {
  readonly link: BrokerLink;
  readonly budget: WindowBudget;
  readonly room: MessageRoom;
  /** Everything below this subject is for this program. */
  readonly prefix: string;
  readonly metrics: HubMeter;
  /** Whether what arrived behind these words may be answered at this subject: whoever wrote it has chosen it. */
  mayAnswer(tail: string, reply: string): boolean;
  /** What is for none of the routes: the words behind the prefix. True when it was taken care of. */
  onOther?(tail: string, message: Msg): boolean;
}

export interface ChannelPlace {
  /** The words behind the hub's prefix at which frames for the channel arrive. */
  readonly tail: string;
  /** Where its frames go. Undefined until the first frame comes, which tells it as its reply; what is sent before that waits. */
  readonly remote?: string;
  readonly label: string;
  /** Whose long messages are counted together. Default: those of this channel. */
  readonly owner?: string;
  readonly grantedBytes: number;
  readonly relay?: Relay | undefined;
  readonly isWatchful?: boolean;
}

export const FIRST_GRANT_BYTES = LEAST_WINDOW_BYTES;
/**
 * The broker and the client library read up to 64 KiB at once, and copy what a read cuts. With frames of this size that is little: the
 * broker takes two thirds of the processor time that it takes with frames of 64 or 256 KiB.
 */
const MOST_FRAME_BYTES = 24 * 1024 + HEADER_BYTES;
/** The library and the broker need some room for the line before the payload. */
const PAYLOAD_SHARE = 0.9;
const TICK_MS = 250;
const LATE_MS = 1000;

/** The subject that was written to has no subscriber. */
export function isNobodyThere(message: Msg): boolean {
  return message.data.length === 0 && message.headers?.code === 503;
}

export class ChannelHub {
  readonly #options: HubOptions;
  readonly #subscription: Subscription;
  readonly #routes = new Map<string, (message: Msg) => void>();
  readonly #channels = new Set<NatsChannel>();
  readonly #unlisten: () => void;
  readonly #time = new PassedTime();
  #timer: NodeJS.Timeout | undefined;
  #emptied: (() => void) | undefined;

  constructor(options: HubOptions) {
    this.#options = options;
    const { link, prefix } = options;
    this.#subscription = link.subscribe(`${prefix}.>`, (message) => this.#route(message));
    this.#unlisten = link.listen({ down: (reason) => this.#cut(reason) });
  }

  get channelCount(): number {
    return this.#channels.size;
  }

  /** Takes what arrives behind these words until the returned function is called. */
  route(tail: string, handler: (message: Msg) => void): () => void {
    this.#routes.set(tail, handler);
    return () => {
      if (this.#routes.get(tail) === handler) this.#routes.delete(tail);
    };
  }

  open({ tail, label, owner, grantedBytes, relay, isWatchful = false, ...place }: ChannelPlace): NatsChannel {
    const { link, prefix, budget, room, metrics, mayAnswer } = this.#options;
    const own = `${prefix}.${tail}`;
    let { remote } = place;
    const waiting: Buffer[] = [];
    const port: ChannelPort = {
      // The own subject as the reply makes the broker say at once when there is no subscriber.
      publish: (frame: Buffer) => {
        if (remote === undefined) waiting.push(frame);
        else link.publish(remote, frame, own);
      },
      mustWait: () => link.gate.mustWait(channel),
      get maxFrameBytes() {
        return Math.min(MOST_FRAME_BYTES, Math.floor(link.maxPayloadBytes * PAYLOAD_SHARE));
      },
      ended: () => {
        unroute();
        link.gate.forget(channel);
        this.#channels.delete(channel);
        metrics.channelEnded(channel.ending?.reason ?? '');
        if (this.#channels.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
        this.#emptied?.();
      },
    };
    const channel: NatsChannel = new NatsChannel({
      label,
      port,
      budget,
      room,
      grantedBytes,
      isWatchful,
      meter: metrics,
      now: () => this.#time.now(),
      ...(owner === undefined ? {} : { owner }),
      ...(relay === undefined ? {} : { relay }),
    });
    const unroute = this.route(tail, (message) => {
      const { reply = '' } = message;
      if (remote === undefined && !mayAnswer(tail, reply)) {
        channel.cut('the remote end does not say where it is to be answered');
        return;
      }
      remote ??= reply;
      for (const frame of waiting.splice(0)) port.publish(frame);
      take(channel, message);
    });
    this.#channels.add(channel);
    metrics.channelOpened();
    if (this.#timer === undefined) {
      this.#time.look();
      this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
    }
    if (!link.isUp) setImmediate(() => channel.cut('the connection to the broker is lost'));
    return channel;
  }

  /** Says goodbye on every channel; what waits goes out first where it is still taken. */
  async close(): Promise<void> {
    const ended = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const channel of [...this.#channels]) channel.close();
    if (this.#channels.size > 0) await ended;
    this.#unlisten();
    this.#subscription.unsubscribe();
  }

  /** Whether a channel with these words is there. */
  has(tail: string): boolean {
    return this.#routes.has(tail);
  }

  #route(message: Msg): void {
    // What lies in the buffers of a machine that was stopped must not count as a sign of life of today.
    if (this.#timer !== undefined && this.#time.unlookedMs > LATE_MS) this.#tick();
    const tail = message.subject.slice(this.#options.prefix.length + 1);
    const handler = this.#routes.get(tail);
    if (handler !== undefined) {
      handler(message);
      return;
    }
    if (this.#options.onOther?.(tail, message) === true) return;
    this.#refuse(tail, message);
  }

  /** For a frame of a channel that is over here. A reset is not answered: two ends would never stop. */
  #refuse(tail: string, { data, reply = '' }: Msg): void {
    const frame = decodeFrame(data);
    if (frame === undefined || frame.kind === FrameKind.reset) return;
    if (this.#options.mayAnswer(tail, reply)) this.#options.link.publish(reply, RESET);
  }

  #tick(): void {
    const isLate = this.#time.unlookedMs > LATE_MS;
    const wallStepMs = this.#time.look();
    for (const channel of [...this.#channels]) channel.tick(isLate, wallStepMs);
    this.#options.room.look(this.#time.now());
  }

  #cut(reason: string): void {
    for (const channel of [...this.#channels]) channel.cut(reason);
  }
}

function take(channel: NatsChannel, message: Msg): void {
  if (isNobodyThere(message)) {
    channel.cut('nobody is there: the remote end has left the broker');
    return;
  }
  const frame = decodeFrame(message.data);
  if (frame === undefined) channel.break('what came is no frame of this version');
  else channel.take(frame);
}
