// What every request below /console/ must show, before anything is answered. Pure.
// Against: pages of other sites and of other ports of this host (a development server that an agent started is the same
// site), names that resolve to this host, frames.
// Does not stop: a program of the same user that sets the headers itself. The ticket stops that one.

import { type HostGate, isHostAllowed, parseHost, rawHeaderValues } from '../gate/host-gate.js';
import type { HttpAnswer } from '../http-answer.js';
import type { RequestHead } from '../http-routes.js';

export const CONSOLE_PATH = '/console/';
export const CONSOLE_SOCKET_PATH = '/console/ws';

export interface ConsoleGateRules {
  /** This run's own name, such as `x7f3a1c2.localhost`: a fresh origin in every browser. */
  readonly runHost: string;
  /** Names, or names with a port, besides IP addresses, `localhost` and this run's. */
  readonly allowHosts: readonly string[];
  /** Where the listener listens. */
  readonly port: number;
  readonly isSecure: boolean;
}

/** The reason to refuse a plain request, or undefined. */
export function consoleRefusal(request: RequestHead, rules: ConsoleGateRules): HttpAnswer | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { status: 405, headers: { Allow: 'GET,HEAD' } };
  }
  return hostRefusal(request, rules) ?? siteRefusal(request);
}

/** The reason to refuse the console's websocket, or undefined. The ticket is judged after this. */
export function consoleSocketRefusal(request: RequestHead, rules: ConsoleGateRules): HttpAnswer | undefined {
  const refusal = hostRefusal(request, rules);
  if (refusal !== undefined) return refusal;
  const sites = rawHeaderValues(request.rawHeaders, 'sec-fetch-site');
  // Older browsers do not send it; Origin is sent by all of them and decides below.
  if (sites.length > 0 && !(sites.length === 1 && sites[0] === 'same-origin')) return OTHER_SITE;
  const origins = rawHeaderValues(request.rawHeaders, 'origin');
  if (origins.length !== 1 || origins[0] !== originOf(request, rules)) {
    return { status: 403, body: 'the console is used from its own page' };
  }
  return undefined;
}

/** The origin that this request names as its own. */
export function originOf(request: RequestHead, { isSecure }: ConsoleGateRules): string {
  const [host = ''] = rawHeaderValues(request.rawHeaders, 'host');
  return `${isSecure ? 'https' : 'http'}://${host.toLowerCase()}`;
}

const OTHER_SITE: HttpAnswer = Object.freeze({ status: 403, body: 'requests from other sites are refused' });

function hostRefusal(request: RequestHead, rules: ConsoleGateRules): HttpAnswer | undefined {
  const hosts = rawHeaderValues(request.rawHeaders, 'host');
  const [host = ''] = hosts;
  const { runHost, allowHosts, port, isSecure } = rules;
  // One that is named with its port may be forwarded from another.
  if (hosts.length === 1 && allowHosts.some((allowed) => allowed.toLowerCase() === host.toLowerCase()))
    return undefined;
  const gate: HostGate = { allowHosts: [...allowHosts, runHost] };
  const standard = isSecure ? 443 : 80;
  if (isHostAllowed(hosts, gate) && (parseHost(host)?.port ?? standard) === port) return undefined;
  return { status: 403, body: `host not allowed: open the console by the address that it was printed with` };
}

function siteRefusal(request: RequestHead): HttpAnswer | undefined {
  const value = (name: string): string | undefined => {
    const values = rawHeaderValues(request.rawHeaders, name);
    return values.length > 1 ? 'several' : values[0];
  };
  const site = value('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return undefined;
  // A link to the console may stand anywhere: it opens a page that has no ticket.
  const isTopNavigation = value('sec-fetch-mode') === 'navigate' && value('sec-fetch-dest') === 'document';
  const path = request.url?.split('?', 1)[0];
  return isTopNavigation && path === CONSOLE_PATH ? undefined : OTHER_SITE;
}
