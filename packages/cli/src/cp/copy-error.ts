// The error of a copy that is refused.

import { CodedError } from '@codex/exec-protocol';

export class CopyError extends CodedError<'COPY_REFUSED'> {
  constructor(message: string, cause?: unknown) {
    super('COPY_REFUSED', message, cause === undefined ? {} : { cause });
  }
}

export function alreadyThere(path: string): CopyError {
  return new CopyError(`${path} exists already; --force replaces it`);
}

export function needsRecursive(path: string): CopyError {
  return new CopyError(`${path} is a directory; copy it with --recursive`);
}

export function localFailure(path: string, cause: unknown): CopyError {
  const why = errnoOf(cause) === 'ENOENT' ? 'no such file or directory' : String(cause);
  return new CopyError(`${path}: ${why}`, cause);
}

export function errnoOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}
