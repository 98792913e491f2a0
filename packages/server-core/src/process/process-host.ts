// What all processes of a server share: the launcher, the line in front of it, and the server-wide bounds.
import type { Clock } from '@codex/exec-protocol';
import { createLauncher, type Launcher } from '@codex/launcher';
import type { Journal } from '../journal/journal.js';
import type { Logger } from '../logger.js';
import { ByteBudget } from './input/byte-budget.js';
import type { ManagedProcess } from './managed-process.js';
import { OutputBudget } from './output/output-budget.js';
import type { ProcessLimits } from './process-limits.js';
import { LaunchQueue } from './start/launch-queue.js';
import type { ProcessSandbox } from './start/sandbox/process-sandbox.js';

/** What one process needs of its surroundings. */
export interface ProcessServices {
  readonly limits: ProcessLimits;
  readonly clock: Clock;
  readonly launcher: Launcher;
  readonly launches: LaunchQueue;
  readonly outputBudget: OutputBudget;
  /** Of the session, within the server's. */
  readonly waitingInput: ByteBudget;
}

/** Takes a copy of what it wants of a process before the server lets go of it. */
export interface ProcessKeeper {
  keep(process: ManagedProcess, clientName: string): void;
}

export interface ProcessHostOptions {
  readonly process: ProcessLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly launcher?: Launcher;
  /** Without one, every sandboxed start is refused. */
  readonly sandbox?: ProcessSandbox;
  /** Where what happens to processes is recorded. */
  readonly journal?: Journal | undefined;
  /** For observers who come when a process is gone already. */
  readonly keeper?: ProcessKeeper | undefined;
}

export class ProcessHost {
  readonly limits: ProcessLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sandbox: ProcessSandbox | undefined;
  readonly journal: Journal | undefined;
  readonly keeper: ProcessKeeper | undefined;
  /** Processes, over all sessions, of which something is alive. */
  liveProcesses = 0;
  isShuttingDown = false;

  readonly #launches: LaunchQueue;
  readonly #outputBudget: OutputBudget;
  readonly #waitingInput: ByteBudget;
  readonly #givenLauncher: Launcher | undefined;
  #ownLauncher: Launcher | undefined;

  constructor(options: ProcessHostOptions) {
    this.limits = options.process;
    this.clock = options.clock;
    this.logger = options.logger;
    this.sandbox = options.sandbox;
    this.journal = options.journal;
    this.keeper = options.keeper;
    this.#givenLauncher = options.launcher;
    this.#launches = new LaunchQueue({ maxConcurrent: options.process.maxConcurrentLaunches });
    this.#outputBudget = new OutputBudget(options.process.retainedOutputBytes, options.clock);
    this.#waitingInput = new ByteBudget(options.process.waitingInputBytes);
  }

  /** Services for the processes of one session. */
  servicesForSession(): ProcessServices {
    return {
      limits: this.limits,
      clock: this.clock,
      launcher: this.launcher,
      launches: this.#launches,
      outputBudget: this.#outputBudget,
      waitingInput: new ByteBudget(this.limits.waitingInputBytesPerSession, this.#waitingInput),
    };
  }

  /** Nothing will be started any more. */
  close(): void {
    this.#ownLauncher?.close();
    this.sandbox?.close?.();
  }

  /** Made on first use: finding the native launcher touches the disk, and a server may never start a process. */
  get launcher(): Launcher {
    if (this.#givenLauncher !== undefined) return this.#givenLauncher;
    this.#ownLauncher ??= createLauncher();
    return this.#ownLauncher;
  }
}
