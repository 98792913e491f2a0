// The interface of anything that can run commands. An ExecServerClient is one, for a server in this process and for
// one across the network; another implementation needs only these two types.

import type { Stdin } from './process/control/process-stdin.js';
import type { ProcessEvent } from './process/events/process-event.js';
import type { OutputView, ReadOptions } from './process/output/output-view.js';
import type { Command, SpawnOptions } from './process/start/spawn-options.js';
import type { Outcome } from './result.js';

export interface ExecBackend {
  /** Resolves when the process runs; its events are subscribed to before it is launched. */
  spawn(command: Command, options?: SpawnOptions): Promise<ExecProcess>;
}

export interface ExecProcess {
  readonly id: string;
  readonly stdin: Stdin;
  readonly stdout: OutputView;
  readonly stderr: OutputView;
  readonly output: OutputView;
  events(options?: ReadOptions): AsyncIterableIterator<ProcessEvent>;
  wait(options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal }): Promise<Outcome>;
  interrupt(): Promise<void>;
  terminate(): Promise<{ readonly wasRunning: boolean }>;
}
