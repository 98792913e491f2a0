// A caller that says what it wants: frames are put together by hand, so that they can be wrong in every way.

import { connect, type NatsConnection } from '@nats-io/transport-node';
import { until } from './until.js';

export const KIND = { data: 1, credit: 2, ping: 3, pong: 4, close: 5, reset: 6 } as const;
const HEADER_BYTES = 24;

export interface RawFrame {
  readonly kind?: number;
  readonly seq?: number;
  readonly read?: number;
  readonly granted?: number;
  readonly version?: number;
  readonly payload?: Buffer;
}

export class RawChannel {
  readonly frames: { readonly kind: number; readonly payload: Buffer }[] = [];
  readonly #publish: (frame: Buffer) => void;
  #seq = 0;
  #granted: number;

  constructor(publish: (frame: Buffer) => void, granted: number) {
    this.#publish = publish;
    this.#granted = granted;
  }

  /** Up to which byte the machine lets it send. */
  get granted(): number {
    return this.#granted;
  }

  send({
    kind = KIND.data,
    seq = this.#seq,
    read = 0,
    granted = 0,
    version = 1,
    payload = Buffer.alloc(0),
  }: RawFrame): void {
    const frame = Buffer.alloc(HEADER_BYTES);
    frame.writeUInt8(version, 0);
    frame.writeUInt8(kind, 1);
    frame.writeUInt32BE(seq, 4);
    frame.writeDoubleBE(read, 8);
    frame.writeDoubleBE(granted, 16);
    this.#seq = seq + 1;
    this.#publish(Buffer.concat([frame, payload]));
  }

  message(text: string, more: RawFrame = {}): void {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(text), 0);
    this.send({ ...more, payload: Buffer.concat([length, Buffer.from(text)]) });
  }

  received(data: Uint8Array): void {
    const bytes = Buffer.from(data);
    if (bytes.length < HEADER_BYTES) return;
    this.#granted = Math.max(this.#granted, bytes.readDoubleBE(16));
    this.frames.push({ kind: bytes[1] ?? 0, payload: bytes.subarray(HEADER_BYTES) });
  }

  /** All that came as data, which for a few small messages is enough to look for words in. */
  get text(): string {
    return Buffer.concat(
      this.frames.filter(({ kind }) => kind === KIND.data).map(({ payload }) => payload),
    ).toString('latin1');
  }

  get dataBytes(): number {
    return this.frames.reduce((sum, { kind, payload }) => sum + (kind === KIND.data ? payload.length : 0), 0);
  }

  get isOver(): boolean {
    return this.frames.some(({ kind }) => kind === KIND.reset || kind === KIND.close);
  }
}

export class RawCaller {
  readonly #connection: NatsConnection;
  readonly #channels = new Map<string, RawChannel>();
  readonly #answers = new Map<string, { readonly text: string; readonly reply: string }>();
  readonly #base: string;
  readonly #prefix: string;
  readonly #role: 'c' | 'g';

  static async connect(url: string, environment = 'test', role: 'c' | 'g' = 'c'): Promise<RawCaller> {
    return new RawCaller(await connect({ servers: url, noEcho: true }), `exec.v1.${environment}`, role);
  }

  private constructor(connection: NatsConnection, base: string, role: 'c' | 'g') {
    this.#connection = connection;
    this.#base = base;
    this.#role = role;
    this.#prefix = `${base}.r.${role}.anonymous.raw`;
    connection.subscribe(`${this.#prefix}.>`, {
      callback: (_error, message) => {
        const id = message.subject.slice(this.#prefix.length + 1);
        const channel = this.#channels.get(id);
        if (channel !== undefined) channel.received(message.data);
        else if (message.headers === undefined) {
          this.#answers.set(id, { text: message.string(), reply: message.reply ?? '' });
        }
      },
    });
  }

  /** Asks for a channel and returns what was answered. */
  async ask(
    id: string,
    request: object,
    { machine, reply, withinMs = 5000 }: { machine?: string; reply?: string; withinMs?: number } = {},
  ) {
    const subject =
      machine === undefined
        ? `${this.#base}.open.${this.#role}.anonymous`
        : `${this.#base}.x.${machine}.${this.#role}.anonymous.open`;
    this.#answers.delete(id);
    this.#connection.publish(subject, JSON.stringify({ v: 1, channel: id, window: 262_144, ...request }), {
      reply: reply ?? `${this.#prefix}.${id}`,
    });
    await until(() => this.#answers.has(id), withinMs);
    return this.#answers.get(id);
  }

  async open(id: string, request: object = {}, place: { machine?: string } = {}): Promise<RawChannel> {
    const answer = await this.ask(id, request, place);
    if (!answer?.text.includes('"executor"')) throw new Error(`not let in: ${answer?.text}`);
    const { window } = JSON.parse(answer.text) as { readonly window: number };
    const channel = new RawChannel(
      (frame) => this.#connection.publish(answer.reply, frame, { reply: `${this.#prefix}.${id}` }),
      window,
    );
    this.#channels.set(id, channel);
    return channel;
  }

  async close(): Promise<void> {
    await this.#connection.close();
  }
}
