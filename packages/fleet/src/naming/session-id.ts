// A session id names its machine, so a client that comes back knows where to go and no table can be wrong. The boot makes a
// machine that was started anew answer "unknown session" at once. To clients it is an opaque text; the last part is the secret.

import { randomUUID } from 'node:crypto';
import { isName } from './subjects.js';

export interface Pin {
  readonly executor: string;
  readonly boot: string;
}

const SEPARATOR = '~';

export function newSessionId({ executor, boot }: Pin): string {
  return [executor, boot, randomUUID()].join(SEPARATOR);
}

/** Undefined for an id that no fleet has made. */
export function pinOf(sessionId: string): Pin | undefined {
  const [executor, boot, secret, ...rest] = sessionId.split(SEPARATOR);
  if (executor === undefined || boot === undefined || secret === undefined || rest.length > 0)
    return undefined;
  return isName(executor) && isName(boot) ? { executor, boot } : undefined;
}
