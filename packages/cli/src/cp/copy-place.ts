// The two sides of a copy as they are typed: `:PATH` is a path on the server, `ws://HOST:PORT:PATH` one with its
// server, anything else is a path here (`./:name` for a file that starts with a colon).

import { CopyError } from './copy-error.js';

export type CopyPlace =
  | { readonly side: 'local'; readonly path: string }
  | { readonly side: 'remote'; readonly path: string; readonly url?: string };

// A colon and digits behind the host are its port, never a path; the path begins behind the next colon.
const WITH_SERVER =
  /^(wss?:\/\/(?:\[[^\]]*\]|[^:/[]+)(?::\d+(?=[:/])|(?!:\d+(?:[:/]|$)))(?:\/[^:]*)?):(.+)$/s;

export function parseCopyPlace(text: string): CopyPlace {
  if (text === '') throw new CopyError('an empty path names nothing');
  const [, url, path] = WITH_SERVER.exec(text) ?? [];
  if (url !== undefined && path !== undefined) return { side: 'remote', path, url };
  if (/^wss?:\/\//.test(text)) {
    throw new CopyError('an address needs a path behind it: ws://HOST:PORT:/the/path');
  }
  if (!text.startsWith(':')) return { side: 'local', path: text };
  if (text === ':') throw new CopyError('a remote path is written :/the/path');
  return { side: 'remote', path: text.slice(1) };
}

export interface Copy {
  readonly direction: 'upload' | 'download';
  readonly local: string;
  readonly remote: string;
  readonly url?: string;
}

export function parseCopy(from: string, to: string): Copy {
  const [source, target] = [parseCopyPlace(from), parseCopyPlace(to)];
  if (source.side === target.side) {
    const both = source.side === 'local' ? 'here' : 'on a server';
    throw new CopyError(
      `both paths are ${both}; one of them is written :/path or ws://HOST:PORT:/path, the other plainly`,
    );
  }
  const remote = source.side === 'remote' ? source : target;
  const local = source.side === 'remote' ? target : source;
  const url = remote.side === 'remote' ? remote.url : undefined;
  return {
    direction: source.side === 'local' ? 'upload' : 'download',
    local: local.path,
    remote: remote.path,
    ...(url === undefined ? {} : { url }),
  };
}
