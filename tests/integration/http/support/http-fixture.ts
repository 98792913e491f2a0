// An exec-server in this process, a client of it, and web servers that answer as a test wants.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RpcError } from '@codex/exec-protocol';
import { type Channel, RpcPeer } from '@codex/exec-rpc';
import { ExecServer, type ExecServerOptions } from '@codex/exec-server-core';
import { onTestFinished } from 'vitest';

export interface HttpReply {
  readonly status: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly bodyBase64: string;
}

export interface BodyDelta {
  readonly requestId: string;
  readonly seq: number;
  readonly deltaBase64: string;
  readonly done: boolean;
  readonly error: string | null;
}

export class HttpCaller {
  readonly deltas: BodyDelta[] = [];
  readonly peer: RpcPeer;
  readonly channel: Channel;
  #count = 0;

  constructor(server: ExecServer) {
    this.channel = server.connectInMemory();
    this.peer = new RpcPeer(this.channel, {
      onRequest: () => undefined,
      onNotification: ({ method, params }) => {
        if (method === 'http/request/bodyDelta') this.deltas.push(params as BodyDelta);
      },
    });
  }

  async open(): Promise<this> {
    await this.peer.call('initialize', { clientName: 'http-tests' });
    this.peer.notify('initialized', {});
    return this;
  }

  request(url: string, more: Record<string, unknown> = {}): Promise<HttpReply> {
    const params = { method: 'GET', url, requestId: `r${++this.#count}`, ...more };
    return this.peer.call('http/request', params) as Promise<HttpReply>;
  }

  async refusal(url: string, more: Record<string, unknown> = {}): Promise<{ code: number; message: string }> {
    try {
      await this.request(url, more);
    } catch (error) {
      if (error instanceof RpcError) return { code: error.code, message: error.message };
      throw error;
    }
    throw new Error('the request was not refused');
  }

  /** The deltas of a stream once it is done. */
  async stream(requestId: string): Promise<BodyDelta[]> {
    const own = () => this.deltas.filter((delta) => delta.requestId === requestId);
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
      if (own().at(-1)?.done === true) return own();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    throw new Error(`the stream ${requestId} did not end`);
  }
}

export async function setUp(options: ExecServerOptions = {}): Promise<HttpCaller> {
  const server = new ExecServer({ env: {}, ...options });
  onTestFinished(() => server.shutdown());
  return new HttpCaller(server).open();
}

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A web server for one test; returns its origin. */
export async function serve(answer: Answer): Promise<{ origin: string; server: Server }> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (block) => {
      body += String(block);
    });
    request.on('end', () => answer(request, response, body));
  });
  await listen(server);
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

export async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
}

export const text = (base64: string): string => Buffer.from(base64, 'base64').toString();
export const base64 = (value: string): string => Buffer.from(value).toString('base64');
export const joined = (deltas: readonly BodyDelta[]): Buffer =>
  Buffer.concat(deltas.map((delta) => Buffer.from(delta.deltaBase64, 'base64')));
