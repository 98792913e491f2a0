// Reads a token or shared secret from a file, so that it stands in no argument list and no environment.

import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { ListenError } from '../listen-error.js';

const MAX_SECRET_BYTES = 64 * 1024;

/** The trimmed content. `what` names it in errors, e.g. `websocket token`. The content is in no error. */
export async function readSecretFile(path: string, what: string): Promise<string> {
  const details = { path };
  if (!isAbsolute(path)) {
    throw new ListenError(
      'LISTEN_SECRET_FILE',
      `the ${what} file must be an absolute path, not \`${path}\``,
      { details },
    );
  }
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (cause) {
    const reason = String(Reflect.get(Object(cause), 'code') ?? cause);
    throw new ListenError('LISTEN_SECRET_FILE', `cannot read the ${what} file ${path}: ${reason}`, {
      details,
      cause,
    });
  }
  const secret = new TextDecoder().decode(bytes).trim();
  if (secret === '' || bytes.length > MAX_SECRET_BYTES) {
    const reason = secret === '' ? 'is empty' : `is larger than ${MAX_SECRET_BYTES} bytes`;
    throw new ListenError('LISTEN_SECRET_FILE', `the ${what} file ${path} ${reason}`, { details });
  }
  return secret;
}
