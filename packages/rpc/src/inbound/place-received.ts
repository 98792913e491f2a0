// Puts the payloads of a received binary message where they belong: of a notification and of an answer into their
// members; of a request beside the parameters, for its handler to take and to give back.

import {
  type IncomingMessage,
  type PayloadMembers,
  placePayloads,
  RESULT_PAYLOADS,
} from '@codex/exec-protocol';

export interface PlacesOfPayloads {
  readonly members: PayloadMembers | undefined;
  /** The method of a call that waits for an answer. */
  methodOf(id: (IncomingMessage & { kind: 'response' })['id']): string | undefined;
}

/** Returns what is wrong with the message, if anything is. */
export function placeReceived(
  message: IncomingMessage,
  payload: Uint8Array,
  { members, methodOf }: PlacesOfPayloads,
): string | undefined {
  switch (message.kind) {
    case 'request':
    case 'notification': {
      const member = members?.get(message.method);
      if (member === undefined) return `${message.method} has no payload here`;
      if (!placePayloads(message.params, [member], payload)) return misplaced(message.method);
      if (message.kind === 'request') (message.params as Record<string, unknown>)[member] = '';
      return undefined;
    }
    case 'response': {
      const method = methodOf(message.id);
      // The answer to a call that waits no more is counted as such, whatever it holds.
      if (method === undefined) return undefined;
      const paths = RESULT_PAYLOADS.get(method);
      if (paths === undefined) return `the answer to ${method} has no payload`;
      return placePayloads(message.result, paths, payload) ? undefined : misplaced(`the answer to ${method}`);
    }
    case 'error':
      return 'an error has no payload';
  }
}

function misplaced(what: string): string {
  return `the payloads of ${what} are not where the message says`;
}
