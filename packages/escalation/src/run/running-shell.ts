// A shell that runs: how it is ended, and when nothing of it is left.
import type { ExitStatus, LaunchedProcess, SignalScope } from '@codex/launcher';
import type { PreparedSandbox } from '@codex/sandbox';
import type { EscalationCall } from '../broker/escalation-broker.js';

const GRACE_MS = 1000;

export class RunningShell {
  readonly #launched: LaunchedProcess;
  readonly #call: EscalationCall;
  readonly #prepared: PreparedSandbox;
  #deadline: NodeJS.Timeout | undefined;
  #exit: ExitStatus | undefined;
  /** No process of it is left, the sandbox has put the host right, the broker is gone. */
  readonly gone: Promise<void>;

  constructor(launched: LaunchedProcess, call: EscalationCall, prepared: PreparedSandbox) {
    this.#launched = launched;
    this.#call = call;
    this.#prepared = prepared;
    // Without its broker no exec of this shell is judged any more; what is left of it is ended.
    void call.closed.then((how) => how === 'lost' && launched.killTree());
    this.gone = this.#leave();
  }

  async exited(): Promise<ExitStatus> {
    this.#exit = await this.#launched.exited;
    return this.#exit;
  }

  commandStarted(): boolean {
    return this.#prepared.commandStarted(wrapperExit(this.#exit));
  }

  /** TERM to everything, KILL to what is left of it after a second. */
  end(): void {
    if (this.#deadline !== undefined) return;
    const scope: SignalScope = this.#prepared.type === 'none' ? 'group' : 'descendants';
    this.#launched.signal('SIGTERM', scope);
    this.#deadline = setTimeout(() => this.kill(), GRACE_MS);
  }

  kill(): void {
    this.#call.end();
    this.#launched.killTree();
  }

  async #leave(): Promise<void> {
    await this.#launched.treeGone;
    clearTimeout(this.#deadline);
    this.#call.end();
    await this.#prepared.finish(wrapperExit(this.#exit)).cleanup;
    await this.#call.closed;
  }
}

function wrapperExit(exit: ExitStatus | undefined): { code: number | null; report?: Buffer } {
  if (exit === undefined) return { code: null };
  return { code: exit.code, ...(exit.report === undefined ? {} : { report: exit.report }) };
}
