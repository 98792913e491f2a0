// Plain HTTP answers, for ordinary requests and for upgrade requests that get no websocket. Every answer closes.

import { Buffer } from 'node:buffer';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export function answerRequest(response: ServerResponse, answer: HttpAnswer): void {
  response.writeHead(answer.status, answerHeaders(answer));
  // The length stands in the headers either way.
  response.end(response.req.method === 'HEAD' ? undefined : answer.body);
}

export function answerUpgrade(socket: Duplex, answer: HttpAnswer): void {
  if (!socket.writable) return;
  const lines = [`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`];
  for (const [name, value] of Object.entries(answerHeaders(answer))) lines.push(`${name}: ${value}`);
  socket.once('finish', () => socket.destroy());
  // In one piece, because many a client reads once.
  socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(answer.body ?? '')]));
}

function answerHeaders({ headers, body = '' }: HttpAnswer): Record<string, string> {
  const type: Record<string, string> = body === '' ? {} : { 'Content-Type': 'text/plain; charset=utf-8' };
  return { ...type, ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
}
