// A place to listen that cannot be had, told so that its reader knows what to do.
import { formatEndpoint } from './admission.js';
import { ListenError } from './listen-error.js';

const WHY = new Map<unknown, string>([
  ['EADDRINUSE', 'a program listens there already; port 0 takes one that is free'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EACCES', 'this user may not listen on that port; one from 1024 on needs no privilege'],
]);

export function listenFailed(
  { host, port }: { readonly host: string; readonly port: number },
  cause: unknown,
): ListenError {
  const why =
    WHY.get(Reflect.get(Object(cause), 'code')) ?? (cause instanceof Error ? cause.message : String(cause));
  const message = `cannot listen on ${formatEndpoint(host, port)}: ${why}`;
  return new ListenError('LISTEN_FAILED', message, { details: { host, port }, cause });
}
