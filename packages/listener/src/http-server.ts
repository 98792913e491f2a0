// The HTTP or HTTPS server under a listener, with small limits. TLS code is loaded only when it is used.

import { createServer, type Server, type ServerOptions } from 'node:http';

export interface TlsOptions {
  /** PEM. */
  readonly cert: string | Buffer;
  readonly key: string | Buffer;
}

export interface HttpServerLimits {
  readonly handshakeTimeoutMs: number;
  readonly maxHeaderBytes: number;
}

export async function createHttpServer(
  limits: HttpServerLimits,
  tls: TlsOptions | undefined,
): Promise<Server> {
  const options: ServerOptions = {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.handshakeTimeoutMs,
    requestTimeout: limits.handshakeTimeoutMs,
    connectionsCheckingInterval: 1000,
    noDelay: true,
    insecureHTTPParser: false,
  };
  if (tls === undefined) return createServer(options);
  const https = await import('node:https');
  return https.createServer({
    ...options,
    ...tls,
    handshakeTimeout: limits.handshakeTimeoutMs,
    minVersion: 'TLSv1.2',
  });
}
