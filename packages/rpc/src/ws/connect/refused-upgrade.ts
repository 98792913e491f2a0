// Turns the HTTP answer of a server that did not open a websocket into an error that says why.

import type { IncomingMessage } from 'node:http';
import { ConnectError, type ConnectErrorCode } from './connect-error.js';

const MAX_BODY = 512;

export async function refusedUpgrade(target: string, response: IncomingMessage): Promise<ConnectError> {
  const status = response.statusCode ?? 0;
  const said = printable(await readStart(response));
  const suffix = said === '' ? '' : `: ${said}`;
  const details = { status, body: said };
  const [code, sentence] = explain(status);
  return new ConnectError(code, `${target} ${sentence} (HTTP ${status})${suffix}`, { details });
}

function explain(status: number): [ConnectErrorCode, string] {
  if (status === 401) return ['CONNECT_UNAUTHORIZED', 'did not accept the credentials'];
  if (status === 403) return ['CONNECT_FORBIDDEN', 'refused the connection'];
  if (status === 503) return ['CONNECT_REFUSED', 'takes no more connections'];
  return ['CONNECT_NOT_A_WEBSOCKET', 'is not an exec-server websocket'];
}

async function readStart(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  try {
    for await (const piece of response) {
      text += String(piece);
      if (text.length >= MAX_BODY) break;
    }
  } catch {
    // What came before the connection broke is still worth showing.
  }
  return text.slice(0, MAX_BODY).trim();
}

// The text is shown to people: no line breaks, no terminal escapes.
function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}
