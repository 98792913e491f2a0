// One request on the wire, over Node's http: pooled connections, through a proxy where the environment names one.
// Loaded on the first request, so that a server that makes none does not pay for it.
import { Agent, type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import { isIP } from 'node:net';
import { type SecureContext, connect as startTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { sendFailed } from './http-error.js';
import { basicAuthorization, type OutgoingRequest } from './outgoing-request.js';
import { proxyFor } from './proxy-choice.js';
import { openTunnel } from './proxy-tunnel.js';
import { trustedCertificates } from './trusted-certificates.js';

/** How long an idle connection is kept for the next request. */
const IDLE_MS = 15_000;
const HEAD = { maxHeaderSize: 256 * 1024 };

/** Sent again when a kept connection turns out to be closed: doing them twice is doing them once (RFC 9110, 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);

export class HttpTransport {
  readonly #env: ServerEnvironment;
  readonly #plainAgent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  readonly #tlsAgent = new TlsAgent({ keepAlive: true, timeout: IDLE_MS });
  #trusted: Promise<SecureContext> | undefined;

  constructor(env: ServerEnvironment) {
    this.#env = env;
  }

  /** Resolves with the head of the response; its body is not read yet. */
  async send(request: OutgoingRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const proxy = proxyFor(request.url, this.#env);
    if (request.url.protocol === 'http:') {
      return exchange(request, { ...(await this.#connectTo(proxy ?? request.url, request, proxy)), signal });
    }
    if (proxy !== undefined) return this.#sendThrough(proxy, request, signal);
    return exchange(request, { ...(await this.#connectTo(request.url, request)), signal });
  }

  async #sendThrough(proxy: URL, request: OutgoingRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const secureContext = await this.#certificates();
    const { hostname: host, path } = addressOf(request.url);
    const tunnel = await openTunnel({ proxy, target: request.url, secureContext, signal });
    const socket = startTls({ socket: tunnel, secureContext, host, servername: serverName(host) });
    const options = { method: request.method, path, headers: headersFor(request), ...HEAD, signal };
    return exchange(request, { ...options, createConnection: () => socket });
  }

  /** A connection to the server itself, or to a proxy that is told the whole URL. */
  async #connectTo(peer: URL, request: OutgoingRequest, proxy?: URL): Promise<RequestOptions> {
    const { hostname, port, path } = addressOf(peer);
    const options = {
      method: request.method,
      hostname,
      port,
      path: proxy === undefined ? path : request.url.href,
      headers: headersFor(request, proxy && basicAuthorization(proxy)),
      ...HEAD,
    };
    if (peer.protocol === 'http:') return { ...options, agent: this.#plainAgent };
    const secure = { ...options, agent: this.#tlsAgent, secureContext: await this.#certificates() };
    return { ...secure, protocol: 'https:' };
  }

  #certificates(): Promise<SecureContext> {
    this.#trusted ??= trustedCertificates(this.#env).catch((error: unknown) => {
      this.#trusted = undefined;
      throw error;
    });
    return this.#trusted;
  }
}

function addressOf(url: URL) {
  const { hostname, port, path } = urlToHttpOptions(url);
  return { hostname: hostname ?? '', port: port ?? null, path: path ?? '/' };
}

function serverName(hostname: string): string {
  return isIP(hostname) === 0 ? hostname : '';
}

function headersFor(request: OutgoingRequest, proxyAuthorization?: string): string[] {
  const headers = request.headers.flatMap(({ name, value }) => [name, value]);
  const has = (name: string) => request.headers.some((header) => header.name === name);
  if (proxyAuthorization !== undefined && !has('proxy-authorization')) {
    headers.push('proxy-authorization', proxyAuthorization);
  }
  if (!has('host')) headers.push('host', request.url.host);
  if (request.body !== undefined) headers.push('content-length', String(request.body.byteLength));
  else if (request.method !== 'GET' && request.method !== 'HEAD') headers.push('content-length', '0');
  return headers;
}

function exchange(request: OutgoingRequest, options: RequestOptions): Promise<IncomingMessage> {
  const { promise, resolve, reject } = settleable<IncomingMessage>();
  const open = options.protocol === 'https:' ? requestTls : requestPlain;
  const outgoing = open(options, resolve);
  outgoing.on('error', (error: NodeJS.ErrnoException) => {
    const isStale = outgoing.reusedSocket && error.code === 'ECONNRESET';
    if (isStale && IDEMPOTENT.has(request.method)) resolve(exchange(request, { ...options, agent: false }));
    else reject(error);
  });
  outgoing.once('upgrade', (_response, socket) => {
    socket.destroy();
    reject(sendFailed('the server switched protocols without being asked to'));
  });
  outgoing.end(request.body);
  return promise;
}

function settleable<T>() {
  let resolve: (value: T | Promise<T>) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}
