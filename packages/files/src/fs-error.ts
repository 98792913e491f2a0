// What a file operation fails with. The code is the kind that decides the number on the wire; the message is final.
import { constants } from 'node:os';
import { getSystemErrorMap, getSystemErrorName } from 'node:util';
import { CodedError, osErrorText, withErrno } from '@codex/exec-protocol';

export type FsErrorCode = 'FS_NOT_FOUND' | 'FS_INVALID_INPUT' | 'FS_PERMISSION_DENIED' | 'FS_OTHER';

export type ErrnoName = keyof typeof constants.errno;

export class FsError extends CodedError<FsErrorCode> {
  /** The symbolic errno, when the operating system gave one. */
  get errno(): string | undefined {
    const errno = this.details['errno'];
    return typeof errno === 'string' ? errno : undefined;
  }
}

const CODE_OF_ERRNO: Readonly<Record<string, FsErrorCode>> = {
  ENOENT: 'FS_NOT_FOUND',
  EINVAL: 'FS_INVALID_INPUT',
  EACCES: 'FS_PERMISSION_DENIED',
  EPERM: 'FS_PERMISSION_DENIED',
};

function errorOf(name: string, errno: number, cause?: unknown): FsError {
  const code = CODE_OF_ERRNO[name] ?? 'FS_OTHER';
  const text = osErrorText(name, -errno) ?? withErrno(getSystemErrorMap().get(errno)?.[1] ?? name, -errno);
  return new FsError(code, text, { details: { errno: name }, cause });
}

/** An error that the operating system would have given, for a case that is decided before it is asked. */
export function errnoError(name: ErrnoName): FsError {
  return errorOf(name, -constants.errno[name]);
}

/** `errno` is negative, as Node and the native helper report it. */
export function errnoNumberError(errno: number): FsError {
  return errorOf(getSystemErrorName(errno), errno);
}

export function invalidInput(message: string): FsError {
  return new FsError('FS_INVALID_INPUT', message);
}

export function otherError(message: string): FsError {
  return new FsError('FS_OTHER', message);
}

export function isErrno(error: unknown, ...names: readonly ErrnoName[]): boolean {
  return error instanceof FsError && names.some((name) => error.errno === name);
}

/** Every failure of a Node file call becomes an `FsError`; Node's own argument checks count as invalid input. */
export function toFsError(error: unknown): FsError {
  if (error instanceof FsError) return error;
  const { code, errno } = error as { code?: unknown; errno?: unknown };
  if (typeof code === 'string' && typeof errno === 'number') return errorOf(code, errno, error);
  const message = error instanceof Error ? error.message : String(error);
  const isArgumentCheck = typeof code === 'string' && code.startsWith('ERR_');
  return new FsError(isArgumentCheck ? 'FS_INVALID_INPUT' : 'FS_OTHER', message, { cause: error });
}
