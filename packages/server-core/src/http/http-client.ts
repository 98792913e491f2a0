// Makes one HTTP request, follows its redirects, and applies one time limit to all of it.
import type { IncomingMessage } from 'node:http';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { sendFailed } from './http-error.js';
import type { HttpTransport } from './http-transport.js';
import type { OutgoingRequest } from './outgoing-request.js';
import { followRedirect } from './redirect.js';

const MAX_REDIRECTS = 10;

export interface SendOptions {
  readonly followRedirects: boolean;
  /** Ends the exchange at any point, the reading of the body included. */
  readonly signal: AbortSignal;
}

export class HttpClient {
  readonly #env: ServerEnvironment;
  #transport: Promise<HttpTransport> | undefined;

  constructor(env: ServerEnvironment) {
    this.#env = env;
  }

  async send(first: OutgoingRequest, { followRedirects, signal }: SendOptions): Promise<IncomingMessage> {
    this.#transport ??= loadTransport(this.#env);
    const transport = await this.#transport;
    let request = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      signal.throwIfAborted();
      const response = await transport.send(request, signal);
      const answer = { status: response.statusCode ?? 0, location: response.headers.location };
      const next = followRedirects ? followRedirect(request, answer) : undefined;
      if (next === undefined) return response;
      response.destroy();
      request = next;
    }
    throw sendFailed('too many redirects');
  }
}

async function loadTransport(env: ServerEnvironment): Promise<HttpTransport> {
  const { HttpTransport } = await import('./http-transport.js');
  return new HttpTransport(env);
}
