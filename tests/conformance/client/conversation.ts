// One connection as a record of everything the server said. Waiting looks at the whole record, so nothing can be missed
// between two awaits, and every message is held against the envelope rules and the published schemas as it arrives.
import assert from 'node:assert/strict';
import type { Link, LinkEnd } from './link.js';
import { isObject, type JsonObject, type ReceivedMessage, type RpcFailure, readMessage } from './message.js';
import { patience } from './patience.js';
import { payloadFaults } from './payload-schemas.js';

export interface WaitOptions {
  /** Less than the usual time, where coming late is the failure that the check looks for. */
  readonly timeoutMs?: number;
  /** How many times the usual time, for what takes a while on a busy machine. */
  readonly longer?: number;
  /** Only messages from this index of `received` on. */
  readonly from?: number;
}

export class Conversation {
  readonly received: ReceivedMessage[] = [];
  readonly faults: string[] = [];
  readonly #link: Link;
  readonly #methods = new Map<string, string>();
  readonly #listeners = new Set<() => void>();
  #end: LinkEnd | undefined;
  #nextId = 1;

  constructor(link: Link) {
    this.#link = link;
    link.start({
      text: (frame) => this.#take(frame),
      binary: (bytes) => {
        this.faults.push(`a binary frame of ${bytes.length} bytes`);
        this.#wake();
      },
      ended: (end) => {
        this.#end = end;
        this.#wake();
      },
    });
  }

  get end(): LinkEnd | undefined {
    return this.#end;
  }

  /** Sends a literal frame, or an object as JSON. */
  send(frame: string | Uint8Array | JsonObject): void {
    if (typeof frame === 'string' || frame instanceof Uint8Array) {
      this.#link.send(frame);
      return;
    }
    const { id, method } = frame;
    if (typeof method === 'string' && id !== undefined) this.#methods.set(JSON.stringify(id), method);
    this.#link.send(JSON.stringify(frame));
  }

  /** Sends a request and returns its id without waiting for the answer. */
  request(method: string, params?: unknown): number {
    const id = this.#nextId++;
    this.send(params === undefined ? { id, method } : { id, method, params });
    return id;
  }

  /** The answer to a request, whichever of the two kinds it is. */
  async reply(id: string | number, options: WaitOptions = {}): Promise<ReceivedMessage> {
    const isReply = (message: ReceivedMessage) => message.id === id && message.method === undefined;
    return this.next(isReply, `a reply to ${JSON.stringify(id)}`, options);
  }

  /** Calls a method that must succeed. */
  async call(method: string, params?: unknown, options: WaitOptions = {}): Promise<JsonObject> {
    const reply = await this.reply(this.request(method, params), options);
    assert.ok(reply.error === undefined, `${method} failed: ${JSON.stringify(reply.error)}`);
    assert.ok(isObject(reply.result), `${method} answered ${reply.text.slice(0, 200)}`);
    return reply.result;
  }

  /** Calls a method that must be refused. */
  async refusal(method: string, params?: unknown): Promise<RpcFailure> {
    const reply = await this.reply(this.request(method, params));
    assert.ok(reply.error, `${method} was not refused: ${reply.text.slice(0, 200)}`);
    return reply.error;
  }

  notify(method: string, params?: unknown): void {
    this.send(params === undefined ? { method } : { method, params });
  }

  /** The first message, of those received and those to come, that matches. */
  async next(
    matches: (message: ReceivedMessage) => boolean,
    what: string,
    options: WaitOptions = {},
  ): Promise<ReceivedMessage> {
    let index = options.from ?? 0;
    const look = () => {
      // Each message is looked at once: a flood of output must not make waiting quadratic.
      for (; index < this.received.length; index++) {
        const message = this.received[index];
        if (message && matches(message)) return message;
      }
      return undefined;
    };
    return this.until(look, what, options);
  }

  /** Resolves with the first defined value of `look`, which is asked again after each message. */
  async until<T>(look: () => T | undefined, what: string, options: WaitOptions = {}): Promise<T> {
    const usual = patience() * (options.longer ?? 1);
    const timeoutMs = Math.min(options.timeoutMs ?? usual, usual);
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#end) throw new Error(`the connection ended (${this.#end.code}) while waiting for ${what}`);
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`waited ${timeoutMs} ms for ${what}; received ${this.#summary()}`);
      await this.#change(left);
    }
  }

  /** Waits until the connection has ended. */
  async ended(timeoutMs = patience()): Promise<LinkEnd> {
    const deadline = Date.now() + timeoutMs;
    while (!this.#end) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`the connection is still open after ${timeoutMs} ms`);
      await this.#change(left);
    }
    return this.#end;
  }

  close(): void {
    this.#link.close();
  }

  drop(): void {
    this.#link.drop();
  }

  #take(frame: string): void {
    const { message, faults } = readMessage(frame);
    this.faults.push(...faults.map((fault) => `${fault}: ${frame.slice(0, 200)}`));
    const method = message.method ?? this.#methods.get(JSON.stringify(message.id));
    if (faults.length === 0) {
      this.faults.push(...payloadFaults(message, method).map((fault) => `${fault}: ${frame.slice(0, 300)}`));
    }
    this.received.push(message);
    this.#wake();
  }

  #wake(): void {
    for (const listener of this.#listeners) listener();
  }

  #change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#listeners.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#listeners.add(done);
    });
  }

  #summary(): string {
    const last = this.received.slice(-3).map((message) => message.text.slice(0, 200));
    return `${this.received.length} messages, last: ${last.join(' | ')}`;
  }
}
