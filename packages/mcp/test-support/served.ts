// A served description on streams of this process: raw lines for one end, and the official client for the other.

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createStdioChannel } from '@codex/exec-rpc/stdio';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { ChannelTransport } from '../src/server/channel-transport.ts';
import type { McpServerDescription, McpTool, ToolResult } from '../src/server/description.ts';
import { serveMcp } from '../src/server/serve-mcp.ts';

export type Era = 'handshake' | 'stateless';
export const ERAS: readonly Era[] = ['handshake', 'stateless'];
export const STATELESS = '2026-07-28';

export function served(
  tools: Readonly<Record<string, McpTool['handler']>>,
  more: Partial<McpServerDescription> = {},
) {
  const input = new PassThrough();
  const output = new PassThrough();
  const problems: string[] = [];
  const connection = serveMcp(
    { name: 'test-server', version: '1.2.3', tools: Object.entries(tools).map(toolOf), ...more },
    { input, output, onProblem: (sentence) => problems.push(sentence) },
  );
  return { input, output, problems, connection };
}

function toolOf([name, handler]: [string, McpTool['handler']]): McpTool {
  return { name, description: `the tool ${name}`, inputSchema: { type: 'object', properties: {} }, handler };
}

export const textResult = (text: string): ToolResult => ({ text, structured: { text } });

/** Any message, by the members that tests look at; those that it does not have are undefined. */
export interface Message {
  readonly id: unknown;
  readonly method?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly error: unknown;
  readonly result: {
    readonly structuredContent?: unknown;
    readonly inputRequests: Readonly<Record<string, unknown>>;
    readonly requestState?: string;
  };
}

/** Messages as lines, in order. */
export class RawClient {
  readonly received: Message[] = [];
  readonly #input: PassThrough;
  readonly #output: PassThrough;
  #rest = '';
  #id = 0;

  constructor({ input, output }: { input: PassThrough; output: PassThrough }) {
    this.#input = input;
    this.#output = output;
    output.on('data', (chunk: Buffer) => {
      const lines = (this.#rest + chunk.toString()).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) this.received.push(JSON.parse(line) as Message);
    });
  }

  line(text: string): void {
    this.#input.write(`${text}\n`);
  }

  send(message: object): void {
    this.line(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** Sends a request and returns its id. */
  start(method: string, params: object = {}): number {
    this.send({ id: ++this.#id, method, params });
    return this.#id;
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = this.start(method, params);
    return this.find((message) => message.id === id && !('method' in message));
  }

  async find(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = this.received.find(wanted);
      if (message !== undefined) return message;
      await once(this.#output, 'data');
    }
  }

  async shakeHands(protocolVersion = '2025-11-25', capabilities: object = { elicitation: {} }) {
    const clientInfo = { name: 'raw', version: '0' };
    const answer = await this.request('initialize', { protocolVersion, capabilities, clientInfo });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }
}

/** What every request of the stateless revision carries. */
export function envelope(capabilities: object = { elicitation: { form: {} } }): Record<string, unknown> {
  return {
    'io.modelcontextprotocol/protocolVersion': STATELESS,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
  };
}

export async function officialClient(
  streams: { input: PassThrough; output: PassThrough },
  era: Era,
  options: ClientOptions = { capabilities: { elicitation: { form: {} } } },
): Promise<Client> {
  const client = new Client(
    { name: 'official', version: '0' },
    { ...options, versionNegotiation: { mode: era === 'handshake' ? 'legacy' : { pin: STATELESS } } },
  );
  const channel = createStdioChannel({ input: streams.output, output: streams.input });
  await client.connect(new ChannelTransport(channel));
  return client;
}

export function deferred<Value = void>() {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
