// A record of every exec: one line of JSON each, appended. A file that only its user can read; a link is not followed.
//
// What it does not stop: a process outside of the sandbox that may write to the file can change it.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { EscalationError } from '../escalation-error.js';
import type { AuditRecord } from './audit-record.js';

export interface AuditLog {
  record(entry: AuditRecord): void;
  close(): void;
}

/** For a server without one. */
export const NO_AUDIT_LOG: AuditLog = { record: () => undefined, close: () => undefined };

const FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const OWNER_ONLY = 0o600;

export interface AuditLogOptions {
  readonly now?: () => Date;
  /** Told once when a line could not be written. */
  readonly onProblem: (message: string) => void;
}

export function openAuditLog(file: string, options: AuditLogOptions): AuditLog {
  const now = options.now ?? (() => new Date());
  const fd = openForAppending(file);
  let hasFailed = false;
  return {
    record: (entry) => {
      try {
        // One call for one line: lines of two servers that share the file do not mix.
        writeSync(fd, `${JSON.stringify({ time: now().toISOString(), ...entry })}\n`);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) options.onProblem(`the audit log ${file} cannot be written: ${messageOf(error)}`);
        hasFailed = true;
      }
    },
    close: () => closeSync(fd),
  };
}

function openForAppending(file: string): number {
  let fd: number;
  try {
    fd = openSync(file, FLAGS, OWNER_ONLY);
  } catch (error) {
    throw unusable(file, messageOf(error), error);
  }
  const facts = fstatSync(fd);
  const problem = !facts.isFile()
    ? 'it is not a regular file'
    : (facts.mode & 0o077) !== 0
      ? `others may read or write it (chmod 600 ${file})`
      : undefined;
  if (problem === undefined) return fd;
  closeSync(fd);
  throw unusable(file, problem);
}

function unusable(file: string, reason: string, cause?: unknown): EscalationError {
  return new EscalationError('AUDIT_LOG_UNUSABLE', `the audit log ${file} cannot be used: ${reason}`, {
    ...(cause === undefined ? {} : { cause }),
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
