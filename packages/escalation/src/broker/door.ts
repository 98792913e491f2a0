// Where brokers arrive: an abstract socket, of which nothing is left when this process ends.
import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { EscalationError } from '../escalation-error.js';
import { decodeRecord } from './link-codec.js';
import { RecordSplitter } from './record-splitter.js';

const HELLO_MS = 5000;
const MAX_STRANGERS = 64;
const NAME_LENGTH = 107;

/** `rest`: records that came with the first. */
export type Arrival = (socket: Socket, splitter: RecordSplitter, rest: readonly Buffer[]) => void;

export class Door {
  /** Exactly as long as a name can be: some versions of Node fill up shorter ones, and some do not. */
  readonly name = `codex-escalation-${process.pid}-${randomBytes(64).toString('hex')}`.slice(0, NAME_LENGTH);
  readonly #server: Server = createServer({ allowHalfOpen: false }, (socket) => this.#admit(socket));
  readonly #expected = new Map<string, Arrival>();
  readonly #strangers = new Set<Socket>();

  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) => {
        const message = `the socket that brokers come through cannot be opened: ${cause.message}`;
        reject(new EscalationError('NO_DOOR', message, { cause }));
      });
      this.#server.listen(`\0${this.name}`, () => resolve());
      this.#server.unref();
    });
  }

  expect(token: string, arrival: Arrival): void {
    this.#expected.set(token, arrival);
  }

  forget(token: string): void {
    this.#expected.delete(token);
  }

  close(): Promise<void> {
    for (const stranger of this.#strangers) stranger.destroy();
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  /** Any process that finds the name can connect; only one that knows a token stays, and each token is good once. */
  #admit(socket: Socket): void {
    socket.on('error', () => {}); // 'close' follows
    if (this.#strangers.size >= MAX_STRANGERS) this.#strangers.values().next().value?.destroy();
    this.#strangers.add(socket);
    const late = setTimeout(() => socket.destroy(), HELLO_MS);
    late.unref();
    const splitter = new RecordSplitter();
    const onData = (block: Buffer): void => {
      const records = split(splitter, block);
      if (records?.length === 0) return;
      socket.off('data', onData);
      this.#strangers.delete(socket);
      clearTimeout(late);
      const [hello, ...rest] = records ?? [];
      const arrival = hello === undefined ? undefined : this.#take(hello);
      if (arrival === undefined) socket.destroy();
      else arrival(socket, splitter, rest);
    };
    socket.on('data', onData);
    socket.on('close', () => {
      clearTimeout(late);
      this.#strangers.delete(socket);
    });
  }

  #take(hello: Buffer): Arrival | undefined {
    try {
      const record = decodeRecord(hello);
      if (record.type !== 'hello') return undefined;
      const arrival = this.#expected.get(record.token);
      this.#expected.delete(record.token);
      return arrival;
    } catch {
      return undefined;
    }
  }
}

function split(splitter: RecordSplitter, block: Buffer): Buffer[] | undefined {
  try {
    return splitter.push(block);
  } catch {
    return undefined;
  }
}
