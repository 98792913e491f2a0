// A name for one run of a server. Names below `localhost` are loopback in browsers, so each run is an origin of its own:
// no service worker, cache or storage of whatever listened on the same port before is in its way.

import { randomBytes } from 'node:crypto';

export function newRunHost(): string {
  return `x${randomBytes(6).toString('hex')}.localhost`;
}
