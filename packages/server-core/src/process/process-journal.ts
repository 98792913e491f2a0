// Tells of processes: to the log, which program ran for which client and how it ended; to the journal, the same with its
// masked arguments and the handle of its session. Never the environment or input, which hold secrets, and never the id of
// the session, which is one.

import type { Journal, NewEvent } from '../journal/journal.js';
import { maskedCommand, maskedText } from '../journal/mask-secrets.js';
import type { LogFields, Logger } from '../logger.js';
import type { CommandExit } from './end/command-exit.js';
import type { ManagedProcess } from './managed-process.js';
import { listedCommand, shortened } from './read/listed-command.js';
import type { SandboxType } from './start/sandbox/process-sandbox.js';
import type { StartRequest } from './start/start-request.js';

/** Names come from the client and may be as long as a message. */
const MAX_NAME_LENGTH = 200;
/** So may directories and reasons. */
const MAX_TEXT_LENGTH = 1024;

export interface ProcessJournalOptions {
  readonly logger: Logger;
  readonly journal: Journal | undefined;
  /** The handle of the session. */
  readonly session: string;
}

export class ProcessJournal {
  readonly #logger: Logger;
  readonly #journal: Journal | undefined;
  readonly #session: string;
  /** How the client calls itself that came last. */
  client: string | undefined;

  constructor({ logger, journal, session }: ProcessJournalOptions) {
    this.#logger = logger;
    this.#journal = journal;
    this.#session = session;
  }

  notStarted(request: StartRequest, reason: string): void {
    this.#logger.info('a process could not be started', { reason, ...this.#who(request), cwd: request.cwd });
    this.#record(request, () => ({
      kind: 'processRefused',
      ...commandOf(request),
      reason: maskedText(shortened(reason, MAX_TEXT_LENGTH)),
    }));
  }

  started({ request, pid, sizes }: ManagedProcess, sandboxType: SandboxType): void {
    const { cwd } = request;
    this.#logger.info('a process was started', { ...this.#who(request), pid, cwd, sandbox: sandboxType });
    this.#record(request, () => {
      const size = sizes.latest;
      return {
        kind: 'processStarted',
        pid: pid ?? 0,
        ...commandOf(request),
        tty: request.io.type === 'pty',
        ...(size === undefined ? {} : { rows: size.rows, cols: size.cols }),
        sandboxType,
      };
    });
  }

  exited({ request, pid, startedAtMs }: ManagedProcess, exit: CommandExit): void {
    const { exitCode, sandboxDenied, denial, stopped } = exit;
    const ms = startedAtMs === null ? undefined : Math.max(0, Date.now() - startedAtMs);
    this.#logger.info('a process exited', { ...this.#who(request), pid, exitCode, sandboxDenied, ms });
    this.#record(request, () => ({
      kind: 'processExited',
      exitCode,
      durationMs: ms ?? 0,
      sandboxDenied,
      // It is a line that the command wrote, and the audit log is kept for long.
      ...(denial === undefined ? {} : { denial: { ...denial, line: maskedText(denial.line) } }),
      ...(stopped === undefined ? {} : { stopped }),
    }));
  }

  lost({ request, pid }: ManagedProcess, reason: string): void {
    this.#logger.warn('a process was lost', { ...this.#who(request), pid, reason });
    this.#record(request, () => ({ kind: 'processLost', reason: shortened(reason, MAX_TEXT_LENGTH) }));
  }

  closed({ request }: ManagedProcess): void {
    this.#record(request, () => ({ kind: 'processClosed' }));
  }

  gone({ request }: ManagedProcess): void {
    this.#record(request, () => ({ kind: 'processGone' }));
  }

  #record({ processId }: StartRequest, event: () => ProcessEvent): void {
    if (this.#journal === undefined) return;
    this.#journal.record(Object.assign({ session: this.#session, processId }, event()));
  }

  #who({ processId, argv, metadata }: StartRequest): LogFields {
    return {
      client: short(this.client),
      process: short(processId),
      program: short(argv[0]),
      thread: short(metadata?.threadId),
      toolCall: short(metadata?.toolCallId),
    };
  }
}

type OfProcess = Extract<NewEvent, { processId: string; kind: `process${string}` }>;
type WithoutTarget<E> = E extends unknown ? Omit<E, 'session' | 'processId'> : never;
type ProcessEvent = WithoutTarget<OfProcess>;

function commandOf({ argv, cwd, metadata }: StartRequest) {
  return {
    argv: maskedCommand(listedCommand(argv)),
    cwd: shortened(cwd, MAX_TEXT_LENGTH),
    ...(metadata == null
      ? {}
      : {
          metadata: {
            threadId: short(metadata.threadId) ?? null,
            toolCallId: short(metadata.toolCallId) ?? null,
          },
        }),
  };
}

function short(name: string | null | undefined): string | undefined {
  return name == null ? undefined : shortened(name, MAX_NAME_LENGTH);
}
