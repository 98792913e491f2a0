// Health and numbers of a program that has no other port. It answers two questions and knows no secrets.

import { createServer, type Server } from 'node:http';
import { isIP } from 'node:net';
import { FleetFlagError } from '../settings/fleet-flags.js';

export interface StatusSource {
  isReady(): boolean;
  metrics(): string;
}

const TEXT = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

/** Undefined when nothing should listen. */
export async function openStatusServer(
  place: string | undefined,
  source: StatusSource,
): Promise<Server | undefined> {
  if (place === undefined) return undefined;
  const { host, port } = parsePlace(place);
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD')
      response.writeHead(405, { allow: 'GET,HEAD' }).end();
    else if (path === '/healthz') response.writeHead(200).end();
    else if (path === '/readyz') response.writeHead(source.isReady() ? 200 : 503).end();
    else if (path === '/metrics') response.writeHead(200, TEXT).end(source.metrics());
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new FleetFlagError(`cannot listen on ${place}: ${error.message}`)),
    );
    server.listen(port, host, resolve);
  });
  server.unref();
  return server;
}

export function parsePlace(place: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(place) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  if (isIP(host) === 0 || port > 65_535) {
    throw new FleetFlagError(`\`--status-listen\` is IP:PORT, not \`${place}\``);
  }
  return { host, port };
}
