// The processes of one session, by the ids their client chose: which may start, which are still readable, and which are
// alive without being readable any more.
import {
  invalidRequest,
  processExists,
  type RpcError,
  type Timer,
  unknownProcess,
} from '@codex/exec-protocol';
import type { RpcPeer } from '@codex/exec-rpc';
import type { CommandExit } from './end/command-exit.js';
import { EndedProcesses } from './end/ended-processes.js';
import { ManagedProcess, type ProcessObserver } from './managed-process.js';
import type { ProcessHost, ProcessServices } from './process-host.js';
import { ProcessJournal } from './process-journal.js';
import { ShellSnapshots } from './start/shell-snapshot/shell-snapshots.js';
import type { StartRequest } from './start/start-request.js';

/** The client that is attached to the session. */
export interface ProcessClient {
  readonly peer: RpcPeer;
  readonly lifecycleNotifications: boolean;
  /** How it calls itself, for the log. */
  readonly clientName?: string;
}

/** How long to wait for the end of an output that only processes outside its tree still hold. */
const OUTSIDER_PATIENCE_MS = 200;

export class ProcessTable implements ProcessObserver {
  readonly shellSnapshots: ShellSnapshots;
  readonly session: string;
  readonly #journal: ProcessJournal;
  readonly #host: ProcessHost;
  readonly #services: ProcessServices;
  readonly #processes = new Map<string, ManagedProcess>();
  /** Something of these is alive: the command, an open output, or a background child. */
  readonly #live = new Set<ManagedProcess>();
  /** Their start has been answered, so that nothing about them can come too early. */
  readonly #announced = new WeakSet<ManagedProcess>();
  readonly #retained: EndedProcesses<ManagedProcess>;
  #client: ProcessClient | undefined;
  #stallDeadline: Timer | undefined;
  #isEnded = false;
  #onClientLeft: () => void = () => undefined;

  constructor(host: ProcessHost, session = '') {
    this.#host = host;
    this.session = session;
    this.#journal = new ProcessJournal({ logger: host.logger, journal: host.journal, session });
    const services = host.servicesForSession();
    this.#services = services;
    this.shellSnapshots = new ShellSnapshots({
      clock: host.clock,
      logger: host.logger,
      launch: (spec) => services.launches.run(() => services.launcher.launch(spec)),
    });
    this.#retained = new EndedProcesses({
      clock: host.clock,
      keepMs: host.limits.exitedProcessRetentionMs,
      keepAtMost: host.limits.maxRetainedProcessesPerSession,
      isRead: ({ output }) => output.isRead,
      onExpired: (process) => this.#forget(process),
    });
  }

  get host(): ProcessHost {
    return this.#host;
  }

  get journal(): ProcessJournal {
    return this.#journal;
  }

  get(id: string): ManagedProcess | undefined {
    return this.#processes.get(id);
  }

  /**
   * Acts on a process: at once, or, when its start is still under way, as soon as that is decided. Either way requests
   * act in the order in which they came. `otherwise` answers for a process that is not there or did not start.
   */
  act<T>(
    id: string,
    action: (process: ManagedProcess) => T | Promise<T>,
    otherwise: () => T,
  ): T | Promise<T> {
    const process = this.#processes.get(id);
    if (process === undefined) return otherwise();
    if (!process.isStarting) return action(process);
    return process.started.then((started) => (started ? action(process) : otherwise()));
  }

  /** The same for requests that have nothing to say without the process. */
  actOnKnown<T>(id: string, action: (process: ManagedProcess) => T | Promise<T>): T | Promise<T> {
    return this.act<T>(id, action, () => {
      throw unknownProcess(id);
    });
  }

  list(): readonly ManagedProcess[] {
    return [...this.#processes.values()];
  }

  /** Reserves the id; the caller launches. */
  add(request: StartRequest): ManagedProcess {
    if (this.#processes.has(request.processId)) throw processExists(request.processId);
    this.#refuseTooMany();
    const process = new ManagedProcess(request, this.#services, this);
    this.#processes.set(request.processId, process);
    this.#live.add(process);
    this.#host.liveProcesses++;
    return process;
  }

  /** The start reply is out: from here on the process may be heard. */
  announce(process: ManagedProcess): void {
    const client = this.#client;
    if (client === undefined || this.#isEnded) return;
    const { id: processId, pid, failure } = process;
    if (client.lifecycleNotifications) {
      if (pid !== null) client.peer.notify('process/started', { processId, pid });
      if (failure !== null) client.peer.notify('process/failed', { processId, message: failure });
    }
    this.#announced.add(process);
    process.output.goLive(client.peer);
  }

  /** A client came, the first or one that came back. */
  attach(client: ProcessClient): void {
    this.#client = client;
    this.#stallDeadline?.cancel();
    this.#retained.resume();
    this.#journal.client = client.clientName;
    // What it wants to be sent, and from where, it has yet to say.
    for (const process of this.#processes.values()) process.output.hold();
  }

  /** The client is gone; it may come back. */
  detach(): void {
    this.#client = undefined;
    this.#onClientLeft();
    this.#retained.pause();
    for (const process of this.#processes.values()) process.output.hold();
    this.#stallDeadline = this.#host.clock.schedule(this.#host.limits.detachedStallMs, () => {
      for (const process of this.#processes.values()) process.output.free();
    });
  }

  /** Sends the rest of a process to a client that came back, from that event on or from where the last one was left. */
  sendOn(process: ManagedProcess, fromSeq?: number): void {
    const isKnown = this.#processes.get(process.id) === process;
    if (this.#client !== undefined && isKnown) process.output.goLive(this.#client.peer, fromSeq);
  }

  /**
   * Kills everything that is left of a process, also when its command has ended and its id is forgotten. Resolves when
   * nothing is left; false when nothing was.
   */
  async endTree(id: string): Promise<boolean> {
    const found = [...this.#live].filter((process) => process.id === id);
    await Promise.all(found.map((process) => process.endTree()));
    return found.length > 0;
  }

  /** Asks every command to end and kills those that have not after `timeoutMs`. Resolves when all have ended. */
  async terminateAll(timeoutMs: number): Promise<void> {
    const running = [...this.#live].filter((process) => process.terminate({ type: 'graceful', timeoutMs }));
    await Promise.all(running.map((process) => process.commandEnded));
  }

  /** Kills every tree. Resolves when nothing is left and a client that stays was sent the end of every process. */
  async finish(): Promise<void> {
    const live = [...this.#live];
    const sent = this.#client && this.#everythingSent();
    await this.#killAll();
    const { clock } = this.#host;
    const abandon = (): void => {
      for (const { output } of live) if (!output.isStalled) output.stopReading();
    };
    // What a tree wrote is read at once when it is gone. Where this server was held up, reading comes before the timer.
    let patience = clock.schedule(OUTSIDER_PATIENCE_MS, () => {
      patience = clock.schedule(1, abandon);
    });
    await sent;
    patience.cancel();
  }

  /** Kills every tree of the session, background children of ended commands included, and forgets all output. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.#client = undefined;
    this.#stallDeadline?.cancel();
    this.#retained.clear();
    const live = [...this.#live];
    const killed = this.#killAll();
    for (const process of this.#processes.values()) {
      this.#letGo(process, 'sessionEnded');
      process.output.discard();
    }
    this.#processes.clear();
    await killed;
    for (const process of live) process.output.stopReading();
  }

  neverStarted(process: ManagedProcess): void {
    this.#noLongerLive(process);
    this.#forget(process);
  }

  failed(process: ManagedProcess, message: string): void {
    this.#journal.lost(process, message);
    if (this.#client?.lifecycleNotifications && this.#announced.has(process)) {
      this.#client.peer.notify('process/failed', { processId: process.id, message });
    }
  }

  exited(process: ManagedProcess, exit: CommandExit): void {
    this.#journal.exited(process, exit);
  }

  delivered(process: ManagedProcess): void {
    if (!this.#isEnded) this.#retained.add(process);
  }

  closed(process: ManagedProcess): void {
    this.#journal.closed(process);
  }

  gone(process: ManagedProcess): void {
    this.#journal.gone(process);
    this.#noLongerLive(process);
  }

  async #everythingSent(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.#onClientLeft = resolve;
    });
    // A start that is still under way is refused, and nothing is sent of it.
    const heard = [...this.#processes.values()].filter(({ isStarting }) => !isStarting);
    await Promise.race([left, Promise.all(heard.map(({ output }) => output.settled()))]);
  }

  async #killAll(): Promise<void> {
    const trees = [...this.#live].map((process) => process.end());
    await Promise.all([this.shellSnapshots.end(), ...trees]);
  }

  #forget(process: ManagedProcess): void {
    this.#retained.delete(process);
    if (this.#processes.get(process.id) === process) this.#processes.delete(process.id);
    this.#letGo(process, 'forgotten');
    process.output.discard();
    // Its id is forgotten: background children that read on get the end of their input.
    process.input.end();
  }

  /** Before its output goes: who looks at it takes what is left. */
  #letGo(process: ManagedProcess, reason: 'forgotten' | 'sessionEnded'): void {
    this.#host.keeper?.keep(process, this.#journal.client ?? '');
    process.watchers.forgotten(reason);
  }

  #noLongerLive(process: ManagedProcess): void {
    if (this.#live.delete(process)) this.#host.liveProcesses--;
  }

  #refuseTooMany(): void {
    const { limits, liveProcesses, isShuttingDown } = this.#host;
    if (this.#isEnded || isShuttingDown) throw invalidRequest('exec-server is shutting down');
    if (this.#live.size >= limits.maxProcessesPerSession) {
      throw tooMany(`this session has ${this.#live.size} live processes`, 'maxProcessesPerSession');
    }
    // Ended ones whose events the client does not take are neither live nor retained for a time.
    if (this.#processes.size >= limits.maxProcessesPerSession + limits.maxRetainedProcessesPerSession) {
      throw tooManyKept(this.#processes.size);
    }
    if (liveProcesses >= limits.maxProcesses) {
      throw tooMany(`this exec-server has ${liveProcesses} live processes`, 'maxProcesses');
    }
  }
}

function tooMany(what: string, limit: string): RpcError {
  return invalidRequest(`too many processes: ${what}, its limit (${limit}); end one and try again`);
}

function tooManyKept(count: number): RpcError {
  return invalidRequest(
    `too many processes: this session keeps ${count} that run or have ended, its limit ` +
      '(maxProcessesPerSession + maxRetainedProcessesPerSession); take the output of those that have ended and try again',
  );
}
