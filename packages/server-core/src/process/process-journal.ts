// Logs processes: which program ran for which client, and how it ended. Never arguments, environment or input, which
// may hold secrets, and never the id of the session, which is one.
import type { LogFields, Logger } from '../logger.js';
import type { CommandExit } from './end/command-exit.js';
import type { ManagedProcess } from './managed-process.js';
import { shortened } from './read/listed-command.js';
import type { SandboxType } from './start/sandbox/process-sandbox.js';
import type { StartRequest } from './start/start-request.js';

/** Names come from the client and may be as long as a message. */
const MAX_NAME_LENGTH = 200;

export class ProcessJournal {
  readonly #logger: Logger;
  /** How the client calls itself that came last. */
  client: string | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  notStarted(request: StartRequest, reason: string): void {
    this.#logger.info('a process could not be started', { reason, ...this.#who(request), cwd: request.cwd });
  }

  started({ request, pid }: ManagedProcess, sandbox: SandboxType): void {
    this.#logger.info('a process was started', { ...this.#who(request), pid, cwd: request.cwd, sandbox });
  }

  exited({ request, pid, startedAtMs }: ManagedProcess, { exitCode, sandboxDenied }: CommandExit): void {
    const ms = startedAtMs === null ? undefined : Date.now() - startedAtMs;
    this.#logger.info('a process exited', { ...this.#who(request), pid, exitCode, sandboxDenied, ms });
  }

  lost({ request, pid }: ManagedProcess, reason: string): void {
    this.#logger.warn('a process was lost', { ...this.#who(request), pid, reason });
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

function short(name: string | null | undefined): string | undefined {
  return name == null ? undefined : shortened(name, MAX_NAME_LENGTH);
}
