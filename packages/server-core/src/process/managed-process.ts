// One process of a session from the request to its end: starting, running, exited, closed. It joins the parts that
// know their own job (launch, input, output, termination) and keeps the state that requests ask for.
import { startCancelled } from '@codex/exec-protocol';
import type { ExitStatus, LaunchedProcess, ProcessEntry, SignalScope } from '@codex/launcher';
import { type CommandExit, exitCodeOf, exitDetails, UNKNOWN_EXIT } from './end/command-exit.js';
import { hostRestored } from './end/exit-after-output.js';
import { sandboxVerdict } from './end/sandbox-verdict.js';
import { type TerminateMode, Termination } from './end/termination.js';
import { WantedEnd } from './end/wanted-end.js';
import { type InputOutcome, InputQueue } from './input/input-queue.js';
import { WriteIds } from './input/write-ids.js';
import { OutputDelivery } from './output/output-delivery.js';
import type { ProcessServices } from './process-host.js';
import { ChangeSignal } from './read/change-signal.js';
import { ProcessWatchers } from './read/process-watchers.js';
import { TerminalSizes } from './read/terminal-sizes.js';
import { keptRequest } from './start/kept-request.js';
import type { SandboxedLaunch, SandboxType } from './start/sandbox/process-sandbox.js';
import type { StartRequest } from './start/start-request.js';
import { whileWanted } from './start/while-wanted.js';

export type ProcessState = 'starting' | 'running' | 'exited' | 'closed';

export interface ProcessObserver {
  /** The handle of the session that the process belongs to. */
  readonly session: string;
  /** The start failed; nothing of it is left. */
  neverStarted(process: ManagedProcess): void;
  /** The command has ended. */
  exited(process: ManagedProcess, exit: CommandExit): void;
  /** Lost for another reason than its own end. */
  failed(process: ManagedProcess, message: string): void;
  /** The client has been sent everything. */
  delivered(process: ManagedProcess): void;
  /** All output has ended. */
  closed(process: ManagedProcess): void;
  /** Neither an open output nor a living descendant is left. */
  gone(process: ManagedProcess): void;
}

interface EndedWith {
  readonly prepared: SandboxedLaunch;
  readonly outputEnded: Promise<void>;
  /** Resolves when nothing of the process is left, on the host neither. */
  readonly treeGone: Promise<void>;
}

/**
 * A client has one or two reads of a process waiting; a reply costs as much as the output that it carries. A wait for the
 * end (`process/wait`) costs next to nothing and is not counted.
 */
const MAX_WAITING_READS = 128;

export class ManagedProcess {
  /** Its output goes on, or ends. */
  readonly changes: ChangeSignal;
  /** The command has exited, its output is closed. */
  readonly ends: ChangeSignal;
  readonly input: InputQueue;
  readonly output: OutputDelivery;
  readonly watchers = new ProcessWatchers();
  /** The handle of its session. */
  readonly session: string;
  readonly sizes = new TerminalSizes();
  /** The server has it: its log grows, or may still be read by its client. */
  readonly isPast = false;
  /** Resolves when the start is decided: true when the process runs (or ran), false when it never did. */
  readonly started: Promise<boolean>;
  /** Resolves when the command has ended or was never started. */
  readonly commandEnded: Promise<void>;

  #request: StartRequest;
  readonly #services: ProcessServices;
  readonly #observer: ProcessObserver;
  readonly #writeIds: WriteIds;
  #decideStart: (started: boolean) => void = () => undefined;
  #isStartDecided = false;
  /** Until nothing of it is left: it owns buffers and streams that an ended process has no use for. */
  #launched: LaunchedProcess | undefined;
  #pid: number | null = null;
  #signalScope: SignalScope = 'group';
  readonly #wantedEnd: WantedEnd;
  #isAbandoned = false;
  #hasExited = false;
  #exit: CommandExit | undefined;
  #isClosed = false;
  #isTreeGone = false;
  #failure: string | null = null;
  #startedAtMs: number | null = null;
  #sandboxType: SandboxType = 'none';

  constructor(request: StartRequest, services: ProcessServices, observer: ProcessObserver) {
    this.session = observer.session;
    this.#request = request;
    this.#services = services;
    this.#observer = observer;
    const { limits, clock } = services;
    this.changes = new ChangeSignal(clock, { maxWaiting: MAX_WAITING_READS });
    this.ends = new ChangeSignal(clock);
    this.#writeIds = new WriteIds(limits.retainedWriteIds);
    this.input = new InputQueue({
      capacityBytes: limits.queuedInputBytesPerProcess,
      waiting: services.waitingInput,
    });
    this.#wantedEnd = new WantedEnd({
      cancelled: () => startCancelled(this.id),
      onForce: () => this.input.close(),
    });
    this.output = new OutputDelivery({
      processId: request.processId,
      limits,
      budget: services.outputBudget,
      clock,
      onChange: () => this.#changed(),
      onDelivered: () => observer.delivered(this),
    });
    this.started = new Promise((resolve) => {
      this.#decideStart = resolve;
    });
    this.commandEnded = this.started.then(async () => {
      await this.#launched?.exited.catch(() => undefined);
    });
  }

  /** What was asked for; of a process that was launched, what can still be asked about. */
  get request(): StartRequest {
    return this.#request;
  }

  get id(): string {
    return this.request.processId;
  }

  get pid(): number | null {
    return this.#pid;
  }

  get startedAtMs(): number | null {
    return this.#startedAtMs;
  }

  get sandboxType(): SandboxType {
    return this.#sandboxType;
  }

  get state(): ProcessState {
    if (this.#isClosed) return 'closed';
    if (this.#exit !== undefined) return 'exited';
    return this.#pid === null ? 'starting' : 'running';
  }

  /** The published end of the command. */
  get exit(): CommandExit | undefined {
    return this.#exit;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Closed, and no descendant is left. */
  get isGone(): boolean {
    return this.#isClosed && this.#isTreeGone;
  }

  get isStarting(): boolean {
    return !this.#isStartDecided;
  }

  get failure(): string | null {
    return this.#failure;
  }

  /** Aborted when a start that is under way is no longer wanted. */
  get unwanted(): AbortSignal {
    return this.#wantedEnd.unwanted;
  }

  /** Its session has ended: what is still to be started of it is not wanted. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** A sandbox may be planned while it is launched. */
  get canLaunchAhead(): boolean {
    return this.#services.launcher.kind === 'native';
  }

  /** It is prepared before it is launched, which takes a moment. */
  expectLaunch(): void {
    this.#services.launcher.expect?.();
  }

  /** Launches the prepared command when it is its turn. */
  launch({ spec }: SandboxedLaunch): Promise<LaunchedProcess> {
    const { launches, launcher } = this.#services;
    const checkWanted = (): void => {
      if (this.#isAbandoned) throw startCancelled(this.id);
    };
    return launches.run(async () => {
      checkWanted();
      return launcher.launch(whileWanted(spec, checkWanted));
    });
  }

  /** The start is failing: nothing more is written or read. */
  discard(): void {
    this.input.close();
    this.output.discard();
  }

  /** The start failed: nothing of it is left behind. */
  startFailed(): void {
    // The id is free before a request that waited for this start acts on its failure.
    this.#observer.neverStarted(this);
    this.#settleStart(false);
  }

  /** The command runs: from here on it is read, written to and watched until nothing of it is left. */
  adopt(launched: LaunchedProcess, prepared: SandboxedLaunch): void {
    this.#launched = launched;
    this.#pid = launched.pid;
    this.#request = keptRequest(this.#request);
    prepared.started?.(launched);
    this.#startedAtMs = Date.now();
    this.#sandboxType = prepared.sandboxType;
    const { io } = this.#request;
    if (io.type === 'pty') this.#resized(io);
    this.#signalScope = prepared.signalScope ?? 'group';
    const outputEnded = new Promise<void>((resolve) => this.output.readFrom(launched.outputs, resolve));
    const treeGone = launched.treeGone.then(() => this.#treeGone(prepared));
    const exited = launched.exited.then(
      (status) => this.#ended(status, { prepared, outputEnded, treeGone }),
      (error: unknown) => this.#lost(String(error)),
    );
    void Promise.all([exited, outputEnded]).then(() => this.#close());
    this.input.connect(launched.input);
    this.#settleStart(true);
    if (this.#isAbandoned) launched.killTree();
    const { clock } = this.#services;
    this.#wantedEnd.reachable(new Termination({ clock, launched, signalScope: this.#signalScope }));
  }

  /** Repeats of a `writeId` share the outcome of the first. `onTaken`: the child has these bytes. */
  write(bytes: Uint8Array, writeId: string | null, onTaken?: () => void): Promise<InputOutcome> {
    const known = writeId === null ? undefined : this.#writeIds.get(writeId);
    if (known !== undefined) return known;
    // upstream: accepted. A terminal that has just ended says so by its events, which may still be on their way; a
    // client that learns it from a write first takes its remaining output for lost.
    if (this.request.io.type === 'pty' && this.#isClosed && !this.output.isDelivered) {
      return Promise.resolve('accepted');
    }
    const outcome = this.input.write(bytes, onTaken);
    return writeId === null ? outcome : this.#writeIds.remember(writeId, outcome);
  }

  /** False when the command has ended already: what it left in the background is not touched. */
  terminate(mode: TerminateMode): boolean {
    if (this.#hasExited) return false;
    this.#wantedEnd.want(mode);
    return true;
  }

  /** Kills the command, where it runs, and everything it has started. Resolves when nothing of it is left. */
  async endTree(): Promise<void> {
    if (!this.terminate({ type: 'force' })) this.#launched?.killTree();
    await this.started;
    await this.#launched?.treeGone;
  }

  /** What is alive of its tree; undefined where the launcher cannot tell. */
  async members(): Promise<readonly ProcessEntry[] | undefined> {
    return this.#launched === undefined ? [] : this.#launched.members?.();
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#hasExited) this.#launched?.signal(name, this.#signalScope);
  }

  resize(rows: number, cols: number): void {
    if (this.#hasExited || this.#launched === undefined) return;
    this.#launched.resize(rows, cols);
    if (this.request.io.type === 'pty') this.#resized({ rows, cols });
  }

  /** The session is over: everything that is left of the tree dies, whatever the command's state. */
  end(): Promise<void> {
    this.#isAbandoned = true;
    this.#wantedEnd.cancelStart();
    this.input.close();
    if (this.#isTreeGone) return Promise.resolve();
    this.#launched?.killTree();
    return this.started.then(() => this.#launched?.treeGone);
  }

  async #ended(status: ExitStatus, { prepared, outputEnded, treeGone }: EndedWith): Promise<void> {
    this.#hasExited = true;
    // upstream: background children are still written to.
    if (this.request.io.type === 'pipe') this.input.answerWhenTaken();
    if (status.supervisorLost) this.#fail('the process lost its supervisor and was ended');
    this.output.commandEnded();
    const { clock } = this.#services;
    const { denied, failure, notice, ...details } = await sandboxVerdict({
      status,
      judge: prepared.judgeExit,
      clock,
      outputEnded,
      log: this.output.log,
    });
    if (failure !== undefined) this.#fail(failure);
    if (notice !== undefined) this.output.say(notice, this.request.io.type === 'pty' ? 'pty' : 'stderr');
    if (prepared.restoresHost) await hostRestored(treeGone, clock);
    const exitCode = exitCodeOf(status);
    this.#publishExit({ exitCode, sandboxDenied: denied, ...exitDetails(details) });
  }

  #lost(reason: string): void {
    this.#hasExited = true;
    this.#fail(`the process was lost: ${reason}`);
    this.#publishExit(UNKNOWN_EXIT);
  }

  #fail(message: string): void {
    this.#failure = message;
    this.#observer.failed(this, message);
  }

  #publishExit(exit: CommandExit): void {
    this.#exit = exit;
    this.output.exited(exit);
    this.#observer.exited(this, exit);
    this.ends.notify();
  }

  #close(): void {
    // A terminal is gone with its output; a process at the other end of a pipe may read on without writing anything.
    if (this.request.io.type === 'pty') this.input.close();
    this.#isClosed = true;
    this.output.closed();
    this.ends.notify();
    this.#observer.closed(this);
    if (this.#isTreeGone) this.#gone();
  }

  async #treeGone(prepared: SandboxedLaunch): Promise<void> {
    this.#isTreeGone = true;
    this.input.close();
    this.#wantedEnd.ended();
    const finished = prepared.finish?.();
    if (this.#isClosed) this.#gone();
    await finished;
  }

  #changed(): void {
    this.changes.notify();
    this.watchers.changed();
  }

  #resized({ rows, cols }: { readonly rows: number; readonly cols: number }): void {
    const { log } = this.output;
    log.seal();
    this.sizes.add({ seq: log.nextSeq, atMs: Date.now(), rows, cols });
    this.watchers.changed();
  }

  #gone(): void {
    this.#launched = undefined;
    this.#observer.gone(this);
  }

  #settleStart(started: boolean): void {
    this.#isStartDecided = true;
    this.#decideStart(started);
  }
}
