// Decides whether a listener may bind an address, given how it authenticates clients. Pure: the listener and a
// command line share it.

import { isIP } from 'node:net';
import { ListenError } from '../listen-error.js';
import { isLoopbackListener } from './loopback.js';

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
  if (plan.allowOrigins.length > 0 && !plan.auth) {
    const message =
      'allowing browser origins needs authentication: every page of that origin would own this machine';
    return new ListenError('LISTEN_ORIGIN_NEEDS_AUTH', message, { details: { origins: plan.allowOrigins } });
  }
  if (isLoopbackListener(host)) return undefined;
  if (!plan.auth) {
    const message = `refusing to listen on ${host} without authentication: others could run commands here; configure websocket auth or listen on 127.0.0.1`;
    return new ListenError('LISTEN_NEEDS_AUTH', message, { details: { host } });
  }
  if (!plan.tls && !plan.insecurePlaintext) {
    const message = `refusing to listen on ${host} without TLS: the token and all output would cross the network in the clear; give a certificate and key, or accept plaintext explicitly`;
    return new ListenError('LISTEN_NEEDS_TLS', message, { details: { host } });
  }
  return undefined;
}
