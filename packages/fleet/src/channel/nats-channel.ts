// A channel over a broker that keeps the order of one connection, loses silently when a connection is replaced, and knows
// no back-pressure. So every frame has a number, every byte needs a grant, and any doubt ends the channel: a gap, the
// broker's "no responders", silence, the end of the own connection. Nothing is sent again here; the session above does.

import { Buffer } from 'node:buffer';
import type { WireMessage } from '@codex/exec-protocol';
import type { BinaryForm, Channel, ChannelClose, ChannelReceiver } from '@codex/exec-rpc';
import { encodedMessage, frameMemory, type OutgoingMessage, outgoingMessage } from '@codex/exec-rpc/bytes';
import type { NatsChannelOptions } from './channel-options.js';
import { CLOSE_BROKEN, CLOSE_NORMAL, CLOSE_NOT_READING, decodeClose, encodeClose } from './close-payload.js';
import { type Frame, FrameKind, HEADER_BYTES, nextSeq, RESET, writeHeader } from './frame.js';
import { Heartbeat } from './heartbeat/heartbeat.js';
import { MessageDelivery } from './inbound/message-delivery.js';
import { UnreadBytes } from './inbound/unread-bytes.js';
import { oncePerTurn } from './once-per-turn.js';
import { OutboundStream, SMALL_BYTES } from './outbound-stream.js';
import { MOST_UNTOLD_BYTES, ReceiveWindow } from './receive-window.js';
import { SendWindow } from './send-window.js';

/** A remote end that does not take what is left has this long after the goodbye. */
const GOODBYE_MS = 2000;

export class NatsChannel implements Channel {
  readonly label: string;
  /** The wording of malformed messages is that of the transport that most clients come by. */
  readonly transport = 'websocket';
  readonly binary: BinaryForm = {
    accept: () => {
      this.#inbound.acceptsBinary = true;
    },
    send: () => {
      this.#sendsBinary = true;
    },
  };
  readonly #options: NatsChannelOptions;
  readonly #outbound = new OutboundStream();
  readonly #inbound: MessageDelivery;
  readonly #send: SendWindow;
  readonly #receive: ReceiveWindow;
  readonly #heartbeat: Heartbeat;
  readonly #now: () => number;
  readonly #pumpSoon = oncePerTurn(process.nextTick, () => this.pump());
  readonly #drainedSoon = oncePerTurn(setImmediate, () => {
    if (!this.#isOver && this.#ending === undefined) this.#inbound.receiver?.drained();
  });
  readonly #inbox = new UnreadBytes();
  #receivedBytes = 0;
  #readBytes = 0;
  #toldReadBytes = 0;
  #sendSeq = 0;
  #receiveSeq = 0;
  #sendsBinary = false;
  #isPaused = true;
  #isDelivering = false;
  #goodbye: ChannelClose | undefined;
  #goodbyeTimer: NodeJS.Timeout | undefined;
  /** Told when everything before it is delivered. */
  #ending: ChannelClose | undefined;
  #isOver = false;
  #isTold = false;

  constructor(options: NatsChannelOptions) {
    this.label = options.label;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#send = new SendWindow(options.grantedBytes);
    this.#receive = new ReceiveWindow(options.budget);
    this.#heartbeat = new Heartbeat({
      now: this.#now,
      send: (kind, frame) => this.#sendFrame(kind, frame),
      malformed: (what) => this.break(what),
      relay: options.relay,
      meter: options.meter,
    });
    this.#inbound = new MessageDelivery({
      room: options.room,
      owner: options.owner ?? options.label,
      now: this.#now,
      isWanted: () => this.#goodbye === undefined && !this.#isTold,
      malformed: (what) => this.break(what),
      roomGiven: () => void setImmediate(() => this.#deliverInbox()),
      unfinished: () =>
        this.break('a message was not finished for too long while others waited for its room'),
    });
  }

  get canSend(): boolean {
    return this.#goodbye === undefined && this.#ending === undefined && !this.#isOver;
  }

  get bufferedBytes(): number {
    return this.#outbound.waitingBytes + this.#send.excessBytes;
  }

  get queuedBytes(): number {
    return this.#outbound.waitingBytes;
  }

  get sentBytes(): number {
    return this.#outbound.addedBytes;
  }

  get readBytes(): number {
    return this.#send.readBytes;
  }

  /** When the remote end was last heard, as epoch milliseconds. */
  get heardAt(): number {
    return this.#heartbeat.heardWall;
  }

  /** For how long the remote end has not been heard. */
  get silentMs(): number {
    return this.#heartbeat.silentMs;
  }

  /** How the channel ended, as soon as that is known. */
  get ending(): ChannelClose | undefined {
    return this.#ending;
  }

  /** Bytes of the stream that arrived and were delivered. */
  get passedBytes(): number {
    return this.#receive.passedBytes;
  }

  start(receiver: ChannelReceiver): void {
    this.#inbound.receiver = receiver;
    this.#isPaused = false;
    setImmediate(() => this.#deliverInbox());
  }

  send(message: WireMessage): void {
    this.#add(outgoingMessage(message, this.#sendsBinary));
  }

  pass(message: Uint8Array, isBinary: boolean): void {
    this.#add(encodedMessage(message, isBinary));
  }

  releasePayload(bytes: Uint8Array): void {
    frameMemory.release(bytes);
  }

  boundUnread(bytes: number): void {
    this.#send.bound(bytes);
  }

  tolerateSilence(): void {
    this.#heartbeat.tolerateSilence();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    setImmediate(() => this.#deliverInbox());
  }

  async probe(timeoutMs: number): Promise<boolean> {
    return this.canSend ? this.#heartbeat.probe(timeoutMs) : false;
  }

  close(code: number = CLOSE_NORMAL, reason = ''): void {
    if (!this.canSend) return;
    this.#goodbye = { code, reason, clean: true };
    if (code === CLOSE_NOT_READING) this.#outbound.clear();
    this.#inbox.clear();
    this.#goodbyeTimer = setTimeout(() => {
      this.#outbound.clear();
      this.pump();
    }, GOODBYE_MS);
    this.#goodbyeTimer.unref();
    this.pump();
  }

  /** Ends the channel at once, without a goodbye. */
  break(reason: string): void {
    if (this.#isOver) return;
    this.#options.port.publish(RESET);
    this.#end({ code: CLOSE_BROKEN, reason, clean: false });
  }

  /** The own connection is gone: nothing can be said any more. */
  cut(reason: string): void {
    this.#end({ code: CLOSE_BROKEN, reason, clean: false });
  }

  /** For an owner that passes messages on: so many bytes of the stream were read at their destination. */
  markRead(bytes: number): void {
    this.#readBytes = Math.max(this.#readBytes, bytes);
    // The machine may wait for this alone, with nothing else under way that would tell it.
    if (this.#readBytes - this.#toldReadBytes >= MOST_UNTOLD_BYTES) this.#sendFrame(FrameKind.credit);
  }

  /** Lets the remote end hear something, where it has heard nothing yet. */
  greet(): void {
    if (this.#sendSeq === 0) this.#sendFrame(FrameKind.credit);
  }

  /** Sends what may be sent. */
  pump(): void {
    if (this.#isOver) return;
    const { port } = this.#options;
    const most = port.maxFrameBytes - HEADER_BYTES;
    while (this.#outbound.waitingBytes > 0 && this.#send.roomBytes > 0 && !port.mustWait()) {
      const frame = this.#outbound.takeFrame(Math.min(this.#send.roomBytes, most));
      const bytes = frame.length - HEADER_BYTES;
      this.#send.sent(bytes);
      this.#options.meter?.sent(bytes);
      this.#sendFrame(FrameKind.data, frame);
      this.#drainedSoon();
    }
    this.#noteStall();
    if (this.#goodbye !== undefined && this.#outbound.waitingBytes === 0) this.#sayGoodbye(this.#goodbye);
  }

  /** Looks after the silence of the remote end; called a few times a second, or late. */
  tick(isLate: boolean, wallStepMs = 0): void {
    if (this.#isOver) return;
    const { isWatchful = false } = this.#options;
    const isAwaiting = isWatchful || this.#send.hasUnread;
    const verdict = this.#heartbeat.look({ isAwaiting, isLate, wallStepMs });
    if (verdict === 'gone') this.break('silent: no sign of life of the remote end');
    if (verdict === 'ask' && !this.#send.hasUnread) this.#receive.rest();
  }

  /** A frame of the remote end. */
  take(frame: Frame): void {
    if (this.#isOver) return;
    if (frame.kind === FrameKind.reset) {
      this.#end({
        code: CLOSE_BROKEN,
        reason: 'the remote end does not know the channel any more',
        clean: false,
      });
      return;
    }
    if (frame.seq !== this.#receiveSeq) {
      this.break(`gap: frame ${frame.seq} came instead of ${this.#receiveSeq}`);
      return;
    }
    this.#receiveSeq = nextSeq(this.#receiveSeq);
    this.#heartbeat.heard(frame);
    if (this.#send.told(frame.read, frame.granted)) {
      this.pump();
      this.#drainedSoon();
    }
    this.#handle(frame);
  }

  #handle({ kind, payload }: Frame): void {
    switch (kind) {
      case FrameKind.data:
        this.#receivedBytes += payload.length;
        this.#options.meter?.received(payload.length);
        if (this.#receivedBytes > this.#receive.grantedBytes) {
          this.break('the remote end sends more than it was granted');
          return;
        }
        if (this.#goodbye !== undefined) return;
        if (this.#mustKeep || this.#isDelivering || !this.#inbox.isEmpty) this.#inbox.add(payload);
        else this.#pass(payload);
        return;
      case FrameKind.ping:
        void this.#heartbeat.answer(payload);
        return;
      case FrameKind.close:
        this.#ending = decodeClose(payload);
        this.#deliverInbox();
        return;
      case FrameKind.credit:
      case FrameKind.pong:
      case FrameKind.reset:
    }
  }

  get #mustKeep(): boolean {
    return this.#isPaused || this.#inbound.mustWait;
  }

  // A paused end still learns that it is over, after what came before.
  #deliverInbox(): void {
    if (this.#isDelivering || this.#inbound.receiver === undefined) return;
    while (!this.#inbox.isEmpty && (!this.#mustKeep || this.#ending !== undefined)) {
      const bytes = this.#inbox.take();
      if (bytes !== undefined) this.#pass(bytes);
    }
    if (this.#ending !== undefined && this.#inbox.isEmpty) this.#tell(this.#ending);
  }

  #pass(bytes: Buffer): void {
    this.#isDelivering = true;
    try {
      this.#inbound.push(bytes);
    } finally {
      this.#isDelivering = false;
    }
    const mustTell = this.#receive.passed(bytes.length, this.#now());
    if (this.#options.relay === undefined) this.#readBytes = this.#receive.passedBytes;
    if (mustTell && !this.#isOver) this.#sendFrame(FrameKind.credit);
  }

  #add(message: OutgoingMessage): void {
    if (!this.canSend) return;
    this.#outbound.add(message);
    if (message.length > SMALL_BYTES) {
      this.pump();
      this.#outbound.keep();
      return;
    }
    this.#pumpSoon();
  }

  #sendFrame(kind: FrameKind, frame: Buffer = Buffer.allocUnsafe(HEADER_BYTES)): void {
    if (this.#isOver) return;
    const { grantedBytes } = this.#receive;
    writeHeader(frame, { kind, seq: this.#sendSeq, read: this.#readBytes, granted: grantedBytes });
    this.#sendSeq = nextSeq(this.#sendSeq);
    this.#toldReadBytes = this.#readBytes;
    this.#options.port.publish(frame);
  }

  #sayGoodbye(goodbye: ChannelClose): void {
    this.#sendFrame(FrameKind.close, encodeClose(goodbye, HEADER_BYTES));
    this.#end(goodbye);
  }

  #end(info: ChannelClose): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#goodbyeTimer);
    this.#heartbeat.close();
    this.#inbound.close();
    this.#receive.rest();
    this.#outbound.clear();
    this.#noteStall();
    this.#ending ??= this.#goodbye ?? info;
    this.#options.port.ended();
    setImmediate(() => this.#deliverInbox());
  }

  #tell(info: ChannelClose): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#end(info);
    this.#inbound.receiver?.closed(info);
  }

  #noteStall(): void {
    const stalledMs = this.#send.stallEnded(this.#outbound.waitingBytes > 0, this.#now());
    if (stalledMs > 0) this.#options.meter?.stalled(stalledMs / 1000);
  }
}
