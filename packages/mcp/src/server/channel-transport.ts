// Our line channel as a transport of the SDK. A line that is no message does not end the connection: it is told, and
// answered when it has an id.

import type { Channel } from '@codex/exec-rpc';
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

export class ChannelTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the channel has ended, from either side. */
  readonly ended: Promise<void>;
  readonly #channel: Channel;
  readonly #onProblem: (sentence: string) => void;
  #end: () => void = () => undefined;

  /** Problems are not given to the SDK, which would tell each of them twice. */
  constructor(channel: Channel, onProblem: (sentence: string) => void = () => undefined) {
    this.#channel = channel;
    this.#onProblem = onProblem;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async start(): Promise<void> {
    this.#channel.start({
      message: (text) => this.#receive(text),
      drained: () => undefined,
      closed: () => {
        this.onclose?.();
        this.#end();
      },
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#channel.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    this.#channel.close();
  }

  #receive(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#onProblem('a line that is not JSON was dropped');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(value);
      return;
    }
    this.onmessage?.(message);
  }

  #refuse(value: unknown): void {
    this.#onProblem('a line that is no JSON-RPC message was dropped');
    const id: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : undefined;
    if (typeof id !== 'string' && typeof id !== 'number') return;
    const error = { code: INVALID_REQUEST, message: 'not a JSON-RPC 2.0 message' };
    this.#channel.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }
}
