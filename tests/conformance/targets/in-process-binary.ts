// Our server inside the process of the suite, spoken to with binary payloads: every message with a payload, of whatever
// check, travels in binary form.
import { binaryLink } from '../client/binary-link.js';
import { openWebSocket } from '../client/websocket-link.js';
import { inProcessTarget } from './in-process.js';
import type { Target } from './target.js';

export function inProcessBinaryTarget(): Target {
  return {
    ...inProcessTarget(),
    name: 'our server, in process, with binary payloads',
    connect: async (url, options) => binaryLink(await openWebSocket(url, options)),
  };
}
