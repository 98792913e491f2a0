// Opens a CONNECT tunnel through a proxy.
import { type RequestOptions, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Duplex } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { sendFailed } from './http-error.js';
import { basicAuthorization } from './outgoing-request.js';

export interface TunnelOptions {
  readonly proxy: URL;
  readonly target: URL;
  readonly secureContext: SecureContext;
  readonly signal: AbortSignal;
}

export function openTunnel({ proxy, target, secureContext, signal }: TunnelOptions): Promise<Duplex> {
  const { hostname, port } = urlToHttpOptions(proxy);
  const authority = `${target.hostname}:${target.port === '' ? defaultPort(target) : target.port}`;
  const authorization = basicAuthorization(proxy);
  const options: RequestOptions & { secureContext: SecureContext } = {
    method: 'CONNECT',
    hostname: hostname ?? '',
    port: port ?? null,
    path: authority,
    headers: { host: authority, ...(authorization && { 'proxy-authorization': authorization }) },
    agent: false,
    secureContext,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request = proxy.protocol === 'https:' ? requestTls(options) : requestPlain(options);
    request.once('error', reject);
    request.once('connect', ({ statusCode = 0 }, socket: Duplex, head) => {
      if (statusCode >= 200 && statusCode < 300 && head.length === 0) return resolve(socket);
      socket.destroy();
      reject(sendFailed(`the proxy refused a tunnel (${statusCode})`));
    });
    request.once('response', (response) => {
      response.destroy();
      reject(sendFailed(`the proxy refused a tunnel (${response.statusCode})`));
    });
    request.end();
  });
}

function defaultPort(url: URL): number {
  return url.protocol === 'https:' ? 443 : 80;
}
