/** A command under a supervisor: opens our ends of its pipes, turns statuses into promises and calls into orders. */
import { constants as fsConstants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants as osConstants } from 'node:os';
import type {
  ExitStatus,
  LaunchedProcess,
  ProcessInput,
  ProcessOutput,
  SignalScope,
} from '../../launched-process.js';
import type { ProcessEntry } from '../../process-table.js';
import { signalName } from '../../signal-names.js';
import { PipeInput } from '../../stream/pipe-input.js';
import { PipeOutput } from '../../stream/pipe-output.js';
import type { PtyDescriptor } from '../../stream/pty-descriptor.js';
import { PtyInput } from '../../stream/pty-input.js';
import { RelayedPtyOutput } from '../../stream/relayed-pty-output.js';
import type { Status } from '../codec/status-codec.js';
import type { Supervisor } from '../supervisor/supervisor.js';
import { processSurvey } from './process-survey.js';
import { killSession } from './session-sweep.js';
import { type SupervisorIdentity, TreeTakeover } from './tree-takeover.js';

type Started = Extract<Status, { type: 'started' }>;

export interface NativeProcessOptions {
  readonly supervisor: Supervisor;
  readonly identity: SupervisorIdentity;
  readonly started: Started;
  readonly master: PtyDescriptor | undefined;
  /**
   * Nothing of the command is left, not even a terminal's output. `forced`: it had to be killed, or its supervisor was
   * lost.
   */
  readonly onGone: (forced: boolean) => void;
}

export class NativeProcess implements LaunchedProcess {
  readonly pid: number;
  readonly input: ProcessInput | undefined;
  readonly outputs: readonly ProcessOutput[];
  readonly exited: Promise<ExitStatus>;
  readonly treeGone: Promise<void>;
  readonly #supervisor: Supervisor;
  #resolveExited: (status: ExitStatus) => void = () => {};
  #resolveTreeGone: () => void = () => {};
  readonly #onGone: (forced: boolean) => void;
  readonly #takeover: TreeTakeover;
  readonly #identity: SupervisorIdentity;
  #isGone = false;
  #isForced = false;
  #report: Buffer | undefined;
  /** How the command ended, while that is not told yet. */
  #exit: ExitStatus | undefined;
  readonly #pty: RelayedPtyOutput | undefined;
  /** The supervisor reads a terminal until this resolves, also when the tree is gone. Undefined for pipes. */
  readonly #ptyClosed: Promise<void> | undefined;
  #onWritable: (() => void) | undefined;

  /** Throws the system's error when the pipes cannot be opened. */
  constructor({ supervisor, identity, started, master, onGone }: NativeProcessOptions) {
    this.pid = started.pid;
    this.#supervisor = supervisor;
    this.#onGone = onGone;
    this.#takeover = new TreeTakeover(identity);
    this.#identity = identity;
    this.exited = new Promise((resolve) => {
      this.#resolveExited = resolve;
    });
    this.treeGone = new Promise((resolve) => {
      this.#resolveTreeGone = resolve;
    });
    if (master === undefined) {
      const opened = openPipes(identity.pid, started);
      this.input = opened.input;
      this.outputs = opened.outputs;
    } else {
      const relay = openEnd(identity.pid, started.stdoutFd, fsConstants.O_RDONLY);
      this.input = new PtyInput(master, (callback) => this.#waitWritable(callback));
      this.#pty = new RelayedPtyOutput(new PipeOutput('pty', relay), master);
      this.outputs = [this.#pty];
      this.#ptyClosed = new Promise((resolve) => master.onClosed(resolve));
      // A command that closes its terminal just before it exits reads as hung up here. Were the supervisor to close the
      // last master then, the kernel would end the command by SIGHUP and its exit code would be lost.
      master.onClosed(() => void this.exited.then(() => supervisor.send({ type: 'ptyClosed' })));
    }
    supervisor.send({ type: 'opened' });
  }

  receive(status: Status): void {
    if (status.type === 'report') this.#report = status.bytes;
    else if (status.type === 'exited') this.#ended(status);
    else if (status.type === 'relayed') this.#tellExit();
    else if (status.type === 'writable') this.#wakeWriter();
    else if (status.type === 'treeGone') this.#finish();
  }

  /** Without a word that the tree is gone, the supervisor was killed from outside. */
  supervisorClosed(): void {
    this.#tellExit();
    if (this.#isGone) return;
    this.#isForced = true;
    void killSession(this.pid).then(() => {
      this.#resolveExited({ code: null, signal: 'SIGKILL', supervisorLost: true });
      this.#finish();
    });
  }

  signal(name: NodeJS.Signals, scope: SignalScope = 'command'): void {
    if (this.#isGone) return;
    this.#supervisor.send({ type: 'signal', scope, signal: osConstants.signals[name] });
  }

  resize(rows: number, cols: number): void {
    if (!this.#isGone) this.#supervisor.send({ type: 'resize', rows, cols });
  }

  killTree(): void {
    if (this.#isGone) return;
    this.#isForced = true;
    this.#supervisor.send({ type: 'killTree' });
    this.#takeover.schedule();
  }

  /** Everything below the supervisor is of this command, whatever group, session or parent it has. */
  async members(): Promise<readonly ProcessEntry[]> {
    if (this.#isGone) return [];
    const { pid, startTime } = this.#identity;
    const snapshot = await processSurvey.look();
    return snapshot.get(pid)?.startTime === startTime ? snapshot.below(pid, () => false) : [];
  }

  #finish(): void {
    this.#isGone = true;
    this.#takeover.cancel();
    if (this.#ptyClosed === undefined) this.#onGone(this.#isForced);
    else void this.#ptyClosed.then(() => this.#onGone(this.#isForced));
    if (this.input instanceof PipeInput) this.input.discard(); // no reader is left
    this.#resolveTreeGone();
    this.#wakeWriter(); // its next write tells it that the terminal is gone
  }

  /**
   * What the command wrote comes before its exit, unless reading is paused; a reader that is merely busy is waited for.
   */
  #ended({ code, signal, restFollows }: Extract<Status, { type: 'exited' }>): void {
    this.#exit = this.#exitStatus(code, signal);
    if (restFollows) this.#pty?.whenPaused(() => this.#tellExit());
    else this.#tellExit();
  }

  #tellExit(): void {
    if (this.#exit !== undefined) this.#resolveExited(this.#exit);
  }

  #exitStatus(code: number, signal: number): ExitStatus {
    const status = signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) };
    return this.#report === undefined ? status : { ...status, report: this.#report };
  }

  #waitWritable(callback: () => void): void {
    this.#onWritable = callback;
    // When the tree is gone too: a process outside it may hold the terminal. One that has closed ends all waiting.
    this.#supervisor.send({ type: 'wantWritable' });
  }

  #wakeWriter(): void {
    const callback = this.#onWritable;
    this.#onWritable = undefined;
    callback?.();
  }
}

function openEnd(supervisorPid: number, fd: number, mode: number): number {
  return openSync(`/proc/${supervisorPid}/fd/${fd}`, mode | fsConstants.O_NONBLOCK);
}

/**
 * The supervisor made the pipes; opening them through its /proc entry gives descriptors of our own, non-blocking without
 * making the command's end non-blocking too.
 */
function openPipes(
  supervisorPid: number,
  started: Started,
): { input: PipeInput | undefined; outputs: PipeOutput[] } {
  const outputs: PipeOutput[] = [];
  try {
    outputs.push(new PipeOutput('stdout', openEnd(supervisorPid, started.stdoutFd, fsConstants.O_RDONLY)));
    outputs.push(new PipeOutput('stderr', openEnd(supervisorPid, started.stderrFd, fsConstants.O_RDONLY)));
    if (started.stdinFd < 0) return { input: undefined, outputs };
    const fd = openEnd(supervisorPid, started.stdinFd, fsConstants.O_WRONLY);
    return { input: new PipeInput(new Socket({ fd, readable: false, writable: true })), outputs };
  } catch (error) {
    for (const output of outputs) output.discard();
    throw error;
  }
}
