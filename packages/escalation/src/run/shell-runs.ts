// Runs shell commands in their sandbox with every exec judged: one object for a server, or for a connection of it.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { LaunchError, type Launcher } from '@codex/launcher';
import { launchSpec, type PreparedSandbox, prepareSandbox, readMountedNames } from '@codex/sandbox';
import type { AuditLog } from '../audit/audit-log.js';
import type { EscalationBroker } from '../broker/escalation-broker.js';
import { CallQuestions } from '../decide/questions.js';
import type { AdmittedNames } from '../environment/admitted-names.js';
import { EscalationError } from '../escalation-error.js';
import type { RuleFiles } from '../rules/rule-files.js';
import { type ShellChoice, shellCommandLine } from '../shells/choose-shell.js';
import { EverWritable } from '../trust/ever-writable.js';
import { callBoundary } from './call-boundary.js';
import { CallClock } from './call-clock.js';
import { CallDecisions } from './call-decisions.js';
import { CallOutput } from './call-output.js';
import { type FollowedShell, followShell } from './follow-shell.js';
import { RunningShell } from './running-shell.js';
import type { ShellCall, ShellResult } from './shell-call.js';

export interface ShellRunsOptions {
  readonly broker: EscalationBroker;
  readonly launcher: Launcher;
  readonly shell: ShellChoice;
  readonly rules: RuleFiles;
  readonly audit: AuditLog;
  /** What the shell, and programs outside, begin with. */
  readonly environment: Readonly<Record<string, string>>;
  readonly admittedNames: AdmittedNames;
  readonly preserveProgramPaths: boolean;
  readonly maxOutputBytes: number;
  /** Files besides those of rules and shell that no sandboxed command may change: the audit log. */
  readonly keptAsTheyAre: readonly string[];
}

export class ShellRuns {
  readonly #options: ShellRunsOptions;
  readonly #running = new Set<RunningShell>();
  readonly #everWritable = new EverWritable(readMountedNames);
  #isClosed = false;

  constructor(options: ShellRunsOptions) {
    this.#options = options;
  }

  /** Rejects with the reason of `signal` when that ends it, and with a coded error when nothing could be run. */
  async run(call: ShellCall): Promise<ShellResult> {
    const begun = performance.now();
    call.signal.throwIfAborted();
    const clock = new CallClock(call.timeoutMs);
    const questions = new CallQuestions({
      ask: call.ask,
      ...(call.nobody === undefined ? {} : { nobody: call.nobody }),
      pauseClock: () => clock.pause(),
    });
    try {
      const started = await this.#start(call, questions);
      const ended = await followShell(started, { call, clock, questions });
      return { ...ended, durationMs: performance.now() - begun, notes: [...started.decisions.notes] };
    } finally {
      clock.cancel();
      questions.close();
    }
  }

  /** Ends everything that still runs, children in the background included. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const running = [...this.#running];
    for (const shell of running) shell.kill();
    await Promise.all(running.map((shell) => shell.gone));
  }

  async #start(call: ShellCall, questions: CallQuestions): Promise<StartedShell> {
    const { broker, launcher, shell, rules, keptAsTheyAre, environment } = this.#options;
    const { cwd, workspaceRoots, policy } = call.sandbox;
    const context = { cwd, workspaceRoots, tmpdir: tmpdir() };
    const rulesNow = await rules.current();
    const boundary = callBoundary({
      policy,
      context,
      keptAsTheyAre: [...keptAsTheyAre, ...rules.places],
      everWritable: this.#everWritable,
    });
    const callId = randomUUID();
    const replaced = boundary.hasSandbox ? shell.covers : [];
    const decisions = new CallDecisions({
      ...this.#options,
      callId,
      rules: rulesNow,
      boundary,
      questions,
      replaced: new Set(replaced),
    });
    const brokerCall = broker.openCall(decisions.callOptions);
    let prepared: PreparedSandbox | undefined;
    try {
      prepared = await prepareSandbox({
        argv: shellCommandLine(shell, call),
        cwd: call.workdir,
        env: { ...environment, ...shell.environment, ...brokerCall.environment },
        policy: boundary.policy,
        context,
        dieWithParent: false,
        keepFiles: this.#keptFiles(),
        replaceFiles: replaced.map((path) => ({ path, by: shell.bash })),
      });
      call.signal.throwIfAborted();
      this.#refuseWhenClosed();
      const spec = launchSpec(prepared, { io: { type: 'pipe', stdin: 'closed' } });
      const launched = await launcher.launch(brokerCall.wrap(spec));
      prepared.started({ pid: launched.pid });
      const output = new CallOutput(this.#options.maxOutputBytes, call.onOutput);
      output.readFrom(launched);
      const running = new RunningShell(launched, brokerCall, prepared);
      this.#keep(running, decisions);
      return { shell: running, output, prepared, decisions };
    } catch (error) {
      brokerCall.end();
      await prepared?.finish().cleanup;
      if (!(error instanceof LaunchError)) throw error;
      throw new EscalationError('SHELL_NOT_STARTED', `the shell cannot be started: ${error.message}`, {
        cause: error,
      });
    }
  }

  /** Under every name that the host has for them. */
  #keptFiles(): string[] {
    const { files } = this.#options.shell;
    return [...new Set([...files, ...files.flatMap((file) => this.#everWritable.namesOf(file))])].filter(
      (file) => existsSync(file),
    );
  }

  #keep(running: RunningShell, decisions: CallDecisions): void {
    this.#running.add(running);
    void running.gone.then(() => {
      this.#running.delete(running);
      decisions.close();
    });
    if (this.#isClosed) running.kill();
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new EscalationError('SHELL_NOT_STARTED', 'the server is shutting down');
  }
}

interface StartedShell extends FollowedShell {
  readonly decisions: CallDecisions;
}
