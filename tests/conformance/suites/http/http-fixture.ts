// Web servers for one check, and the deltas of a stream.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Conversation } from '../../client/conversation.js';
import type { CheckContext } from '../../runner/check-context.js';

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface BodyDelta {
  readonly requestId: string;
  readonly seq: number;
  readonly deltaBase64: string;
  readonly done: boolean;
  readonly error?: string | null;
}

/** The origin of a web server that ends with the check. */
export async function serve(t: CheckContext, answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (block) => {
      body += String(block);
    });
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function deltasOf(connection: Conversation, requestId: string): BodyDelta[] {
  return connection.received
    .filter(
      ({ method, params }) => method === 'http/request/bodyDelta' && params?.['requestId'] === requestId,
    )
    .map(({ params }) => params as unknown as BodyDelta);
}

export function untilDone(connection: Conversation, requestId: string): Promise<BodyDelta[]> {
  const look = () => {
    const deltas = deltasOf(connection, requestId);
    return deltas.at(-1)?.done === true ? deltas : undefined;
  };
  return connection.until(look, `the end of the stream ${requestId}`);
}

export const text = (base64: unknown): string => Buffer.from(String(base64), 'base64').toString();
