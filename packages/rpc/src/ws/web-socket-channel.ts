// A channel over an established websocket, the same on both sides. `ws` does the handshake, reading and control
// frames; messages are written here, straight to the socket, because that is the hot path.

import { Buffer, isUtf8 } from 'node:buffer';
import type { Socket } from 'node:net';
import { LEAST_PAYLOAD_BYTES, type WireMessage } from '@codex/exec-protocol';
import { LifeProbes } from '../bytes/life-probes.js';
import { messageText } from '../bytes/message-text.js';
import { frameMemory, payloadMemory } from '../bytes/spare-memory.js';
import {
  type BinaryForm,
  type Channel,
  type ChannelClose,
  type ChannelReceiver,
  CLOSE_NOT_READING,
  CLOSE_NOT_UTF8,
} from '../channel.js';
import { CLOSE_BROKEN, CLOSE_NORMAL, closeOfError, closeOfFrame, fitReason } from './close-info.js';
import { DeliveryWindow } from './delivery-window.js';
import type { EstablishedWebSocket } from './established-web-socket.js';
import { FrameBatch, type FrameBatchOptions } from './frames/frame-batch.js';
import { announcedBytes, keepUnconsumed, receiveQuickly } from './frames/quick-receive.js';
import { DEFAULT_KEEPALIVE, Keepalive, type KeepaliveOptions } from './keepalive.js';
import { PromptClient } from './prompt-client.js';
import { canShareReads, isOfSharedRead, shareReads } from './reads/shared-reads.js';

export interface WebSocketChannelOptions {
  readonly webSocket: EstablishedWebSocket;
  readonly socket: Socket;
  readonly label: string;
  readonly side: 'client' | 'server';
  readonly keepalive?: Partial<KeepaliveOptions>;
}

// A remote end that pings without reading must not fill the send buffer with pongs.
const MAX_BACKLOG_FOR_PONG = 64 * 1024;
/** How many times as long a remote end may be silent that cannot come back. */
const SILENCE_TOLERANCE = 6;

export class WebSocketChannel implements Channel {
  readonly label: string;
  readonly transport = 'websocket';
  readonly binary: BinaryForm;
  readonly #webSocket: EstablishedWebSocket;
  readonly #socket: Socket;
  readonly #batch: FrameBatch;
  readonly #probes = new LifeProbes();
  /** Only a server waits for the other end's requests. */
  readonly #promptClient: PromptClient | undefined;
  readonly #window: DeliveryWindow;
  readonly #keepalive: Keepalive;
  #receiver: ChannelReceiver | undefined;
  #isFlushScheduled = false;
  #isDrainScheduled = false;
  #isPaused = true;
  #acceptsBinary = false;
  #goodbye: ChannelClose | undefined;
  #failure: ChannelClose | undefined;
  #ended: ChannelClose | undefined;

  constructor({ webSocket, socket, label, side, keepalive }: WebSocketChannelOptions) {
    this.label = label;
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#batch = new FrameBatch({
      socket,
      ...maskingOf(side, socket),
      handedOver: (bytes) => this.#window.sent(bytes),
      taken: () => this.#scheduleDrained(),
    });
    this.binary = {
      accept: () => {
        this.#acceptsBinary = true;
      },
      send: () => this.#batch.useBinary(),
    };
    socket.setNoDelay(true);
    // Only a server sends what would be lost with the connection.
    this.#window = new DeliveryWindow({
      ping: (mark) => webSocket.ping(mark),
      opened: () => this.#scheduleDrained(),
      isBounded: side === 'server',
    });
    if (side === 'server') this.#promptClient = new PromptClient();
    readQuickly(webSocket, socket);
    this.#finishBeforeClose();
    // Nothing may arrive before start(): there is no receiver yet.
    webSocket.pause();
    webSocket.on('message', (data, isBinary) => {
      const bytes = data as Buffer;
      if (isBinary && this.#acceptsBinary) {
        this.#receiveBinary(bytes);
        return;
      }
      this.#receive(bytes);
      // The receiver has copied what it keeps.
      frameMemory.release(bytes);
    });
    webSocket.on('ping', (data) => this.#answerPing(data));
    webSocket.on('pong', (mark) => {
      this.#probes.alive();
      this.#window.pong(mark);
    });
    webSocket.on('error', (error) => {
      // After our goodbye it does not matter how the remote end goes.
      if (this.#goodbye === undefined) this.#failure ??= closeOfError(error);
    });
    webSocket.on('close', (code, reason) =>
      this.#end(this.#failure ?? this.#goodbye ?? closeOfFrame(code, reason.toString())),
    );
    this.#keepalive = this.#watch({ ...DEFAULT_KEEPALIVE, ...keepalive });
  }

  get canSend(): boolean {
    return this.#goodbye === undefined && this.#ended === undefined && this.#socket.writable;
  }

  get bufferedBytes(): number {
    return this.queuedBytes + this.#window.excessBytes(this.#socket.writableLength);
  }

  get queuedBytes(): number {
    return this.#socket.writableLength + this.#batch.pendingBytes;
  }

  /** The length of a message of the remote end that is not whole yet. */
  get unfinishedBytes(): number {
    return announcedBytes(this.#webSocket);
  }

  start(receiver: ChannelReceiver): void {
    this.#receiver = receiver;
    if (this.#ended !== undefined) {
      const info = this.#ended;
      queueMicrotask(() => receiver.closed(info));
    } else {
      this.resume();
    }
  }

  send(message: WireMessage, onTaken?: () => void): void {
    if (!this.canSend) return;
    this.#scheduleFlush();
    this.#batch.add(message, onTaken);
  }

  pass(message: Uint8Array, isBinary: boolean): void {
    if (!this.canSend) return;
    this.#scheduleFlush();
    this.#batch.addEncoded(message, isBinary);
  }

  get sentBytes(): number {
    return this.#window.sentBytes + this.#batch.pendingBytesAtMost;
  }

  get readBytes(): number | undefined {
    return this.#window.readBytes;
  }

  boundUnread(bytes: number): void {
    this.#window.narrow(bytes);
  }

  releasePayload(bytes: Uint8Array): void {
    frameMemory.release(bytes);
  }

  tolerateSilence(): void {
    this.#keepalive.tolerate(SILENCE_TOLERANCE);
  }

  pause(): void {
    this.#isPaused = true;
    this.#webSocket.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#webSocket.resume();
  }

  async probe(timeoutMs: number): Promise<boolean> {
    if (!this.canSend) return false;
    this.#webSocket.ping();
    return this.#probes.wait(timeoutMs);
  }

  close(code = CLOSE_NORMAL, reason = ''): void {
    if (this.#goodbye !== undefined || this.#ended !== undefined) return;
    this.#goodbye = { code, reason, clean: true };
    if (code === CLOSE_NOT_READING) this.#batch.discard();
    this.#flush();
    // The remote end's close frame has to be read, whatever stands before it.
    this.#webSocket.resume();
    this.#webSocket.close(code, fitReason(reason));
  }

  /** Ends the connection at once, without a goodbye. */
  terminate(reason: string): void {
    this.#failure ??= { code: CLOSE_BROKEN, reason, clean: false };
    this.#webSocket.terminate();
  }

  #receiveBinary(data: Buffer): void {
    if (!this.#heard()) return;
    const own = isOfSharedRead(data) ? Buffer.from(data) : data;
    this.#receiver?.binaryMessage?.(own, () => frameMemory.release(own));
  }

  /** Whether messages are still taken. */
  #heard(): boolean {
    this.#probes.alive();
    this.#promptClient?.asked();
    return this.#goodbye === undefined;
  }

  #receive(data: Buffer): void {
    if (!this.#heard()) return;
    const isLong = data.length >= LEAST_PAYLOAD_BYTES;
    if (isLong && this.#receiver?.longMessage?.(data, payloadMemory) === true) return;
    const text = messageText(data);
    if (text !== undefined) {
      this.#receiver?.message(text);
    } else {
      this.#failure = { code: CLOSE_NOT_UTF8, reason: 'message is not valid UTF-8', clean: false };
      this.close(CLOSE_NOT_UTF8, this.#failure.reason);
    }
  }

  #answerPing(data: Buffer): void {
    this.#probes.alive();
    if (this.#socket.writableLength < MAX_BACKLOG_FOR_PONG && this.#goodbye === undefined)
      this.#webSocket.pong(data);
  }

  #scheduleFlush(): void {
    if (this.#isFlushScheduled) return;
    this.#isFlushScheduled = true;
    process.nextTick(() => this.#flush());
  }

  #flush(): void {
    if (!this.#isFlushScheduled) return;
    this.#isFlushScheduled = false;
    this.#batch.flush();
    this.#promptClient?.sent();
  }

  /** No data may follow a close frame, and `ws` answers one of the remote end by itself. */
  #finishBeforeClose(): void {
    const webSocket = this.#webSocket;
    const close = webSocket.close.bind(webSocket);
    webSocket.close = (code, reason) => {
      this.#batch.finish();
      // Bytes are the remote end's reason, which `ws` would send back as they are.
      if (typeof reason === 'string' || reason === undefined || isUtf8(reason)) {
        close(code, reason);
      } else {
        this.#failure ??= { code: CLOSE_NOT_UTF8, reason: 'close reason is not valid UTF-8', clean: false };
        close(CLOSE_NOT_UTF8, this.#failure.reason);
      }
    };
  }

  // Always a fresh turn: a fast reader must not keep the sender inside one turn for ever.
  #scheduleDrained(): void {
    if (this.#isDrainScheduled) return;
    this.#isDrainScheduled = true;
    setImmediate(() => {
      this.#isDrainScheduled = false;
      if (this.#ended === undefined) this.#receiver?.drained();
    });
  }

  #watch(options: KeepaliveOptions): Keepalive {
    const socket = this.#socket;
    const window = this.#window;
    const isPaused = (): boolean => this.#isPaused;
    return new Keepalive(
      {
        ask: () => window.ask(),
        dead: () => this.terminate(`no sign of life for ${options.pongTimeoutMs} ms`),
        get paused() {
          return isPaused();
        },
        get receivedBytes() {
          return socket.bytesRead;
        },
        get takenBytes() {
          return socket.bytesWritten - socket.writableLength;
        },
        get backlogBytes() {
          return socket.writableLength;
        },
        get hasUnread() {
          return window.readBytes !== undefined && window.readBytes < window.sentBytes;
        },
        get owesAnswerSince() {
          return window.owesAnswerSince;
        },
        get expectedAnswerMs() {
          return window.expectedAnswerMs;
        },
      },
      options,
    );
  }

  #end(info: ChannelClose): void {
    if (this.#ended !== undefined) return;
    this.#ended = info;
    this.#keepalive.stop();
    this.#promptClient?.gone();
    this.#window.end();
    this.#probes.close();
    this.#receiver?.closed(info);
  }
}

/**
 * On the machine's own loopback there is no proxy between the ends that the mask is for, so that payloads go as they are. Text keeps
 * its mask: it costs nothing.
 */
function maskingOf(
  side: WebSocketChannelOptions['side'],
  { remoteAddress = '' }: Socket,
): Pick<FrameBatchOptions, 'masking' | 'binaryMasking'> {
  if (side === 'server') return { masking: 'none' };
  return { masking: 'random', binaryMasking: isLoopback(remoteAddress) ? 'zeros' : 'random' };
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}

/** With one buffer for the reads of all sockets nothing may wait in it for the next one, however short. */
function readQuickly(webSocket: EstablishedWebSocket, socket: Socket): void {
  const sharesReads = canShareReads(socket);
  const gathering = receiveQuickly(webSocket, sharesReads ? { leastGatheredBytes: 1 } : {});
  if (gathering === undefined || !sharesReads) return;
  const afterRead = (): void => keepUnconsumed(webSocket, isOfSharedRead);
  shareReads(socket, Object.assign(gathering, { afterRead }));
}
