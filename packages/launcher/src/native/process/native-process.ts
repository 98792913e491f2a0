// A command under a supervisor: opens our ends of its pipes, turns statuses into promises and calls into orders.
import { closeSync, constants as fsConstants, openSync } from 'node:fs';
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
import { RelayedPtyInput } from '../../stream/relayed-pty-input.js';
import { RelayedPtyOutput } from '../../stream/relayed-pty-output.js';
import type { Status } from '../codec/status-codec.js';
import type { OutputEnds, Supervisor } from '../supervisor/supervisor.js';
import { processSurvey } from './process-survey.js';
import { killSession } from './session-sweep.js';
import { type SupervisorIdentity, TreeTakeover } from './tree-takeover.js';

const KILLED_EXIT = 128 + osConstants.signals.SIGKILL;

type Started = Extract<Status, { type: 'started' }>;

export interface NativeProcessOptions {
  readonly supervisor: Supervisor;
  readonly identity: SupervisorIdentity;
  readonly started: Started;
  readonly isPty: boolean;
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
  #lostMount: string | undefined;
  /** How the command ended, while that is not told yet. */
  #exit: ExitStatus | undefined;
  readonly #pty: RelayedPtyOutput | undefined;
  /** The supervisor reads a terminal until this resolves, also when the tree is gone. Undefined for pipes. */
  readonly #ptyClosed: Promise<void> | undefined;

  /** Throws the system's error when the pipes cannot be opened. */
  constructor({ supervisor, identity, started, isPty, onGone }: NativeProcessOptions) {
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
    const ahead = endsMadeAhead(supervisor, started);
    if (isPty) {
      const { input, output } = openTerminal(identity.pid, started);
      this.input = input;
      this.#pty = output;
      this.outputs = [output];
      this.#ptyClosed = output.closed;
      // A command that closes its terminal just before it exits reads as hung up here. Were the supervisor to close the
      // master then, the kernel would end the command by SIGHUP and its exit code would be lost.
      void output.closed.then(() => {
        input.discard();
        void this.exited.then(() => supervisor.send({ type: 'ptyClosed' }));
      });
    } else if (ahead !== undefined) {
      const isLeft = (): boolean => this.#isGone;
      this.outputs = [new PipeOutput('stdout', ahead[0], isLeft), new PipeOutput('stderr', ahead[1], isLeft)];
    } else {
      const opened = openPipes(identity.pid, started);
      this.input = opened.input;
      this.outputs = opened.outputs;
    }
    if (ahead === undefined) supervisor.send({ type: 'opened' });
  }

  /** Nothing of the command is left. */
  get isGone(): boolean {
    return this.#isGone;
  }

  receive(status: Status): void {
    if (status.type === 'report') this.#report = status.bytes;
    else if (status.type === 'mountLost') this.#mountLost(status.path);
    else if (status.type === 'exited') this.#ended(status);
    else if (status.type === 'relayed') this.#tellExit();
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

  /** The supervisor is ending the tree already. */
  #mountLost(path: string): void {
    this.#lostMount = path;
    this.#isForced = true;
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
    const end = signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) };
    const status = this.#lostMount === undefined ? end : stoppedStatus(end, this.#lostMount);
    return this.#report === undefined ? status : { ...status, report: this.#report };
  }
}

/** A wrapper that outlives its sandbox by a moment says by its code how that ended. */
function stoppedStatus(end: ExitStatus, lostMount: string): ExitStatus {
  const isKilled = end.code === KILLED_EXIT;
  return isKilled ? { code: null, signal: 'SIGKILL', lostMount } : { ...end, lostMount };
}

/** What the command prints to was made before there was a command, and opened then. Ends of pipes that it does not have are closed. */
function endsMadeAhead(supervisor: Supervisor, { stdoutFd }: Started): OutputEnds | undefined {
  const ends = supervisor.takeOutputs?.();
  if (stdoutFd < 0) return ends;
  for (const fd of ends ?? []) closeSync(fd);
  return undefined;
}

function openEnd(supervisorPid: number, fd: number, mode: number): number {
  return openSync(`/proc/${supervisorPid}/fd/${fd}`, mode | fsConstants.O_NONBLOCK);
}

function openInput(supervisorPid: number, fd: number): Socket {
  return new Socket({
    fd: openEnd(supervisorPid, fd, fsConstants.O_WRONLY),
    readable: false,
    writable: true,
  });
}

/** The supervisor has the terminal; two pipes of its making are between it and us. */
function openTerminal(
  supervisorPid: number,
  started: Started,
): { input: RelayedPtyInput; output: RelayedPtyOutput } {
  const pipe = new PipeOutput('pty', openEnd(supervisorPid, started.stdoutFd, fsConstants.O_RDONLY));
  try {
    const input = new RelayedPtyInput(openInput(supervisorPid, started.stdinFd));
    return { input, output: new RelayedPtyOutput(pipe) };
  } catch (error) {
    pipe.discard();
    throw error;
  }
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
    return { input: new PipeInput(openInput(supervisorPid, started.stdinFd)), outputs };
  } catch (error) {
    for (const output of outputs) output.discard();
    throw error;
  }
}
