// Ends a process tree: at once, or by asking first and killing what is left when the time is up.
import type { Clock, Timer } from '@codex/exec-protocol';
import type { LaunchedProcess, SignalScope } from '@codex/launcher';

export type TerminateMode =
  | { readonly type: 'force' }
  | { readonly type: 'graceful'; readonly timeoutMs: number };

/** Of two ends asked for, the one that comes first: a forced one at once, else the one with less time. */
export function soonerEnd(one: TerminateMode | undefined, other: TerminateMode): TerminateMode {
  if (one === undefined || other.type === 'force') return other;
  return one.type === 'force' || one.timeoutMs <= other.timeoutMs ? one : other;
}

export class Termination {
  readonly #clock: Clock;
  readonly #launched: LaunchedProcess;
  readonly #scope: SignalScope;
  readonly #deadlines: Timer[] = [];

  constructor(options: { clock: Clock; launched: LaunchedProcess; signalScope: SignalScope }) {
    this.#clock = options.clock;
    this.#launched = options.launched;
    this.#scope = options.signalScope;
  }

  begin(mode: TerminateMode): void {
    if (mode.type === 'force') {
      this.cancel();
      this.#launched.killTree();
      return;
    }
    this.#launched.signal('SIGTERM', this.#scope);
    // A second request may shorten the wait, never lengthen it: earlier deadlines stand.
    this.#deadlines.push(this.#clock.schedule(mode.timeoutMs, () => this.#launched.killTree()));
  }

  /** The tree is gone: nothing is left to kill. */
  cancel(): void {
    for (const deadline of this.#deadlines.splice(0)) deadline.cancel();
  }
}
