// The interface of anything that can run commands. An ExecServerClient is one, for a server in this process and for
// one across the network; another implementation needs only these two types.

import type { Outcome } from '../result.js';
import type { Command, SpawnOptions } from '../spawn-options.js';
import type { Stdin } from './control/process-stdin.js';
import type { ProcessEvent } from './events/process-event.js';
import type { OutputView, ReadOptions } from './output/output-view.js';

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
