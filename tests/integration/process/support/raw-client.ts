// A plain `ws` client that writes its own JSON and keeps everything it receives, in the order of arrival. It shares no
// code with the server.
import { WebSocket } from 'ws';

export interface WireError {
  readonly code: number;
  readonly message: string;
}

export interface ProcessEvent {
  readonly method: string;
  readonly processId: string;
  readonly seq: number;
  readonly stream?: string;
  readonly bytes?: Buffer;
  readonly exitCode?: number;
  readonly sandboxDenied?: boolean;
  readonly denial?: { readonly reason: string; readonly line: string; readonly path?: string };
  readonly pid?: number;
  readonly message?: string;
}

export interface Reply {
  readonly result?: Record<string, unknown>;
  readonly error?: WireError;
}

export class RawClient {
  readonly socket: WebSocket;
  readonly events: ProcessEvent[] = [];
  /** `reply <id>` or `<method> <processId> <seq>`, as they came. */
  readonly order: string[] = [];
  readonly closed: Promise<{ code: number; reason: string }>;
  /** Called for every event; with `keepEvents` off, nothing else remembers it. */
  onEvent: ((event: ProcessEvent) => void) | undefined;
  keepEvents = true;
  sessionId = '';
  #nextId = 1;
  readonly #pending = new Map<number, (reply: Reply) => void>();
  readonly #watchers = new Set<() => void>();

  static async connect(url: string): Promise<RawClient> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 64 * 1024 * 1024 });
    const client = new RawClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data) => this.#receive(JSON.parse(String(data))));
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on('error', () => undefined);
  }

  /** Sends now, in the order of the calls; the promise is the reply, error or not. */
  request(method: string, params: unknown): Promise<Reply> {
    const id = this.#nextId++;
    this.socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#pending.set(id, resolve));
  }

  /** The result, or a rejection with code and message. */
  async call<T = Record<string, unknown>>(method: string, params: unknown): Promise<T> {
    const { result, error } = await this.request(method, params);
    if (error !== undefined) throw new Error(`${error.code} ${error.message}`);
    return result as T;
  }

  /** The error of a request that must fail. */
  async refusal(method: string, params: unknown): Promise<WireError> {
    const { result, error } = await this.request(method, params);
    if (error === undefined) throw new Error(`${method} was not refused: ${JSON.stringify(result)}`);
    return error;
  }

  async initialize(params: Record<string, unknown> = { resumeSessionId: null }): Promise<void> {
    const { sessionId } = await this.call<{ sessionId: string }>('initialize', {
      clientName: 'test',
      ...params,
    });
    this.sessionId = sessionId;
    this.socket.send('{"method":"initialized","params":{}}');
  }

  start(processId: string, argv: readonly string[], more: Record<string, unknown> = {}): Promise<Reply> {
    return this.request('process/start', startParams(processId, argv, more));
  }

  eventsOf(processId: string): ProcessEvent[] {
    return this.events.filter((event) => event.processId === processId);
  }

  bytesOf(processId: string, stream?: string): Buffer {
    const wanted = this.eventsOf(processId).filter(
      (event) => stream === undefined || event.stream === stream,
    );
    return Buffer.concat(wanted.map(({ bytes }) => bytes ?? Buffer.alloc(0)));
  }

  /** Resolves when the condition holds; looked at after everything that arrives. */
  until(condition: () => boolean, timeoutMs = 20_000): Promise<void> {
    if (condition()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#watchers.delete(watch);
        reject(new Error(`the awaited event did not come within ${timeoutMs} ms`));
      }, timeoutMs);
      const watch = (): void => {
        if (!condition()) return;
        clearTimeout(timer);
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
    });
  }

  untilClosed(processId: string, timeoutMs?: number): Promise<void> {
    return this.until(() => this.has(processId, 'process/closed'), timeoutMs);
  }

  untilExited(processId: string, timeoutMs?: number): Promise<void> {
    return this.until(() => this.has(processId, 'process/exited'), timeoutMs);
  }

  has(processId: string, method: string): boolean {
    return this.events.some((event) => event.processId === processId && event.method === method);
  }

  /** The connection breaks without a goodbye. */
  cut(): void {
    this.socket.terminate();
  }

  #receive(message: {
    id?: number;
    method?: string;
    params?: Record<string, unknown>;
    result?: Record<string, unknown>;
    error?: WireError;
  }): void {
    if (message.method !== undefined && message.params !== undefined)
      this.#takeEvent(message.method, message.params);
    else if (message.id !== undefined) {
      this.order.push(`reply ${message.id}`);
      const settle = this.#pending.get(message.id);
      this.#pending.delete(message.id);
      settle?.(message);
    }
    for (const watch of [...this.#watchers]) watch();
  }

  #takeEvent(method: string, { chunk, ...rest }: Record<string, unknown>): void {
    const event = { method, ...rest } as ProcessEvent;
    const full = typeof chunk === 'string' ? { ...event, bytes: Buffer.from(chunk, 'base64') } : event;
    this.onEvent?.(full);
    if (!this.keepEvents) return;
    this.order.push(`${method} ${event.processId} ${event.seq}`);
    this.events.push(full);
  }
}

export function startParams(processId: string, argv: readonly string[], more: Record<string, unknown> = {}) {
  return { processId, argv, cwd: 'file:///tmp', env: { PATH: '/usr/bin:/bin' }, tty: false, ...more };
}

export const shell = (script: string): string[] => ['/bin/sh', '-c', script];
