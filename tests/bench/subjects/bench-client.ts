// A thin client for measuring: it does the least a client has to do, the same for every server.
import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';

interface Incoming {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly method?: string;
  readonly params?: { readonly processId: string; readonly chunk?: string; readonly [key: string]: unknown };
}

type Listener = (method: string, params: NonNullable<Incoming['params']>) => void;

export class BenchClient {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #listeners = new Map<string, Listener>();
  #nextId = 1;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data)) as Incoming));
  }

  static async connect(url: string): Promise<BenchClient> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 256 * 1024 * 1024 });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const client = new BenchClient(socket);
    await client.call('initialize', { clientName: 'bench', resumeSessionId: null });
    client.#socket.send('{"method":"initialized","params":{}}');
    return client;
  }

  call(method: string, params: unknown): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** Starts a process and hands its events to `listener` until `process/closed`. */
  async run(start: StartOptions, listener?: Listener): Promise<void> {
    const processId = randomUUID();
    const closed = new Promise<void>((resolve) => {
      this.#listeners.set(processId, (method, params) => {
        listener?.(method, params);
        if (method === 'process/closed') {
          this.#listeners.delete(processId);
          resolve();
        }
      });
    });
    await this.call('process/start', {
      processId,
      cwd: 'file:///',
      env: { PATH: '/usr/bin:/bin' },
      arg0: null,
      tty: false,
      ...start,
    });
    start.started?.(processId);
    await closed;
  }

  close(): void {
    this.#socket.terminate();
  }

  #receive(message: Incoming): void {
    if (message.method !== undefined && message.params !== undefined) {
      this.#listeners.get(message.params.processId)?.(message.method, message.params);
      return;
    }
    const call = this.#pending.get(message.id ?? -1);
    this.#pending.delete(message.id ?? -1);
    if (message.error) call?.reject(new Error(`${message.error.code} ${message.error.message}`));
    else call?.resolve(message.result);
  }
}

export interface StartOptions {
  readonly cwd?: string;
  readonly argv: readonly string[];
  readonly tty?: boolean;
  readonly pipeStdin?: boolean;
  readonly sandbox?: unknown;
  readonly started?: (processId: string) => void;
}
