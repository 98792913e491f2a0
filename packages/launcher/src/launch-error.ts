// The errors of this package. Each carries a code from a closed set and the name of the errno behind it.
import { constants } from 'node:os';

export type LaunchStage =
  | 'spec' // the request itself cannot be launched (empty argv, NUL, relative cwd)
  | 'supervisor' // the supervisor program could not be started or broke off
  | 'io' // pipes or inherited descriptors
  | 'pty'
  | 'fork'
  | 'session'
  | 'cwd'
  | 'restrict' // rlimits, no_new_privs, Landlock, seccomp
  | 'exec';

export class LaunchError extends Error {
  readonly code = 'LAUNCH_FAILED';
  readonly stage: LaunchStage;
  /** `ENOENT`, `EACCES`, …: what the system call said. */
  readonly errno: string;

  constructor(options: { stage: LaunchStage; errno: string; message: string; cause?: unknown }) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'LaunchError';
    this.stage = options.stage;
    this.errno = options.errno;
  }
}

export class LaunchIoError extends Error {
  /** The reader is gone, or the input was ended before. */
  readonly code = 'EPIPE';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LaunchIoError';
  }
}

const errnoNames = new Map<number, string>(
  Object.entries(constants.errno).map(([name, number]) => [number, name]),
);
// EAGAIN and EWOULDBLOCK, ENOTSUP and EOPNOTSUPP share a number on Linux; the first is what strerror texts use.
errnoNames.set(constants.errno.EAGAIN, 'EAGAIN');
errnoNames.set(constants.errno.EOPNOTSUPP, 'EOPNOTSUPP');

export function errnoName(number: number): string {
  return errnoNames.get(number) ?? `errno ${number}`;
}

/** The errno name of an error thrown by Node's own calls. */
export function errnoOf(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return error.code;
  }
  return 'EIO';
}
