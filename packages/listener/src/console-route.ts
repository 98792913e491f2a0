// How a listener reaches its console, which is loaded when a first request asks for it.

import type { IncomingMessage } from 'node:http';
import type { Admission } from './admission.js';
import type { HttpAnswer } from './http-answer.js';

export interface ConsoleContext {
  readonly port: number;
  readonly isSecure: boolean;
  /** As for ordinary connections: undefined where the platform cannot tell whose a connection is. */
  readonly ownUid: number | undefined;
}

export interface ConsoleDoor {
  answer(request: IncomingMessage, context: ConsoleContext): Promise<HttpAnswer>;
  admit(request: IncomingMessage, context: ConsoleContext): Promise<Admission>;
}

export function isConsoleRequest({ url }: { readonly url?: string | undefined }): boolean {
  const path = url?.split('?', 1)[0];
  return path === '/console' || path?.startsWith('/console/') === true;
}
