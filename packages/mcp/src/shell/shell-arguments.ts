// The arguments of the tool `shell`. Members that are null count as absent, unknown ones are ignored.
import { isAbsolute } from 'node:path';

export interface ShellArguments {
  readonly command: string;
  readonly workdir: string;
  readonly timeoutMs: number;
  readonly login: boolean;
}

export interface TimeoutLimits {
  readonly defaultTimeoutMs: number;
  readonly maxTimeoutMs: number;
}

/** As long as a word of a command line can be for Linux, its end included: 32 pages of 4 KiB. */
const LONGEST_COMMAND = 32 * 4096 - 1;

/** The limit of Node's timers: 24 days. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The arguments, or one sentence about the first that is wrong. */
export function readShellArguments(
  values: Readonly<Record<string, unknown>>,
  limits: TimeoutLimits,
): ShellArguments | string {
  const command = values['command'];
  if (typeof command !== 'string') return `command must be a string${found(command)}`;
  if (command.includes('\0')) return 'command must not contain a NUL character';
  const length = Buffer.byteLength(command);
  if (length > LONGEST_COMMAND) {
    return `command must have at most ${LONGEST_COMMAND} bytes, not ${length}: put what is long into a file, in several calls`;
  }
  const workdir = values['workdir'];
  if (typeof workdir !== 'string') return `workdir must be a string, an absolute path${found(workdir)}`;
  if (!isAbsolute(workdir) || workdir.includes('\0')) {
    return `workdir must be an absolute path, not ${JSON.stringify(workdir)}`;
  }
  const login = values['login'] ?? true;
  if (typeof login !== 'boolean') return `login must be a boolean${found(login)}`;
  const timeoutMs = values['timeout_ms'] ?? limits.defaultTimeoutMs;
  if (typeof timeoutMs !== 'number' || !Number.isInteger(timeoutMs) || timeoutMs < 0) {
    return `timeout_ms must be a whole number of milliseconds, not negative${found(timeoutMs)}`;
  }
  if (timeoutMs > limits.maxTimeoutMs && limits.maxTimeoutMs < LONGEST_TIMEOUT_MS) {
    return `timeout_ms must be at most ${limits.maxTimeoutMs} here, not ${timeoutMs}`;
  }
  return { command, workdir, login, timeoutMs: Math.min(timeoutMs, LONGEST_TIMEOUT_MS) };
}

function found(value: unknown): string {
  if (value === undefined || value === null) return ', and it is missing';
  return `, not ${JSON.stringify(value)}`.slice(0, 100);
}
