// Reads a token or shared secret from a file, so that it stands in no argument list and no environment.

import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import { ListenError } from '../listen-error.js';
import { directoriesAbove, unsafeDirectory, unsafeFile } from './secret-file-safety.js';

const MAX_SECRET_BYTES = 64 * 1024;

/** The trimmed content. `what` names it in errors, e.g. `websocket token`. The content is in no error. */
export async function readSecretFile(path: string, what: string): Promise<string> {
  const refuse = (message: string, cause?: unknown): ListenError =>
    new ListenError('LISTEN_SECRET_FILE', message, {
      details: { path },
      ...(cause === undefined ? {} : { cause }),
    });
  if (!isAbsolute(path)) throw refuse(`the ${what} file must be an absolute path, not \`${path}\``);
  let bytes: Uint8Array;
  let unsafe: string | undefined;
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    unsafe = await whatIsUnsafe(path, file);
    bytes = unsafe === undefined ? await file.readFile() : new Uint8Array();
  } catch (cause) {
    const reason = String(Reflect.get(Object(cause), 'code') ?? cause);
    throw refuse(`cannot read the ${what} file ${path}: ${reason}`, cause);
  } finally {
    await file?.close();
  }
  if (unsafe !== undefined) throw refuse(`the ${what} file ${path} ${unsafe}`);
  const secret = new TextDecoder().decode(bytes).trim();
  if (secret === '') throw refuse(`the ${what} file ${path} is empty`);
  if (bytes.length > MAX_SECRET_BYTES) {
    throw refuse(`the ${what} file ${path} is larger than ${MAX_SECRET_BYTES} bytes`);
  }
  return secret;
}

/** Of the opened file, so that it is the one that is read. A link counts with the directories of both its ends. */
async function whatIsUnsafe(path: string, file: FileHandle): Promise<string | undefined> {
  const ownUid = process.getuid?.();
  // Windows has no modes.
  if (ownUid === undefined) return undefined;
  const unsafe = unsafeFile(path, await file.stat(), ownUid);
  if (unsafe !== undefined) return unsafe;
  const named = await realpath(dirname(path));
  // A pipe that a shell made (`<(command)`) has a name that leads nowhere.
  const target = await realpath(path).catch(() => undefined);
  const directories = [
    named,
    ...directoriesAbove(named),
    ...(target === undefined ? [] : directoriesAbove(target)),
  ];
  for (const directory of new Set(directories)) {
    const reason = unsafeDirectory(directory, await stat(directory), ownUid);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
