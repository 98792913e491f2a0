// Decides whether a listener may bind an address, given how it authenticates clients. Pure: the listener and a
// command line share it.

import { isIP } from 'node:net';
import { ListenError } from '../listen-error.js';
import { isLoopbackListener } from './loopback.js';

/** Of http and https, for which the platform knows how a browser writes an origin. Apps and extensions have schemes of their own. */
const KNOWN_SCHEME = /^https?:/i;
const ANY_ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/;

export interface BindPlan {
  /** IP literal or `localhost`. */
  readonly host: string;
  readonly auth: boolean;
  readonly tls: boolean;
  /** The operator accepts that tokens and output cross the network in the clear. */
  readonly insecurePlaintext: boolean;
  readonly allowOrigins: readonly string[];
}

/** The reason not to listen, or undefined. */
export function bindRefusal(plan: BindPlan): ListenError | undefined {
  const { host } = plan;
  if (host !== 'localhost' && isIP(host) === 0) {
    const message = `cannot listen on \`${host}\`: give an IP address, because a name may resolve to anything`;
    return new ListenError('LISTEN_HOST_NOT_AN_ADDRESS', message, { details: { host } });
  }
  for (const origin of plan.allowOrigins) {
    const written = browserOrigin(origin);
    if (written === origin) continue;
    const meant = written === undefined ? 'write it as https://HOST' : `browsers send ${written}`;
    const message = `no browser sends the origin \`${origin}\`, so that it would allow nothing: ${meant}`;
    return new ListenError('LISTEN_ORIGIN_INVALID', message, { details: { origin } });
  }
  if (plan.allowOrigins.length > 0 && !plan.auth) {
    const message =
      'allowing browser origins needs authentication (`--ws-auth`): every page of that origin would own this machine';
    return new ListenError('LISTEN_ORIGIN_NEEDS_AUTH', message, { details: { origins: plan.allowOrigins } });
  }
  if (isLoopbackListener(host)) return undefined;
  if (!plan.auth) {
    const message = `refusing to listen on ${host} without authentication: others could run commands here; configure websocket auth (\`--ws-auth\`) or listen on 127.0.0.1`;
    return new ListenError('LISTEN_NEEDS_AUTH', message, { details: { host } });
  }
  if (!plan.tls && !plan.insecurePlaintext) {
    const message = `refusing to listen on ${host} without TLS: the token and all output would cross the network in the clear; give a certificate and key (\`--tls-cert\`, \`--tls-key\`), or accept plaintext explicitly (\`--insecure-plaintext\`)`;
    return new ListenError('LISTEN_NEEDS_TLS', message, { details: { host } });
  }
  return undefined;
}

/** As a browser would write it: without a path, in small letters, without the port that its scheme means. */
function browserOrigin(text: string): string | undefined {
  if (!KNOWN_SCHEME.test(text)) return ANY_ORIGIN.test(text) ? text : undefined;
  return URL.canParse(text) ? new URL(text).origin : undefined;
}
