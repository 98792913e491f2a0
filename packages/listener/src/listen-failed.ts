// A place to listen that cannot be had, told so that its reader knows what to do.
import { formatEndpoint } from './admission.js';
import { ListenError } from './listen-error.js';

export function listenFailed(
  { host, port }: { readonly host: string; readonly port: number },
  cause: Error,
): ListenError {
  const isTaken = Reflect.get(cause, 'code') === 'EADDRINUSE';
  const why = isTaken ? 'a program listens there already; port 0 takes one that is free' : cause.message;
  const message = `cannot listen on ${formatEndpoint(host, port)}: ${why}`;
  return new ListenError('LISTEN_FAILED', message, { details: { host, port }, cause });
}
