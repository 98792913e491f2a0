/**
 * A supervisor for which Node has forked itself, with one socket between them. What Node has started is its guardian
 * (native/guardian.c), which has forked the supervisor. Knows nothing of pipes and ptys.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { encodeOrder, type Order } from '../codec/order-codec.js';
import { StatusDecoder } from '../codec/status-codec.js';
import { setBusy } from './busy-supervisors.js';
import { StrayHunt } from './stray-hunt.js';
import type { Supervisor, SupervisorEvents } from './supervisor.js';

/** The supervisor's number of the first descriptor handed to it after the socket. */
export const FIRST_EXTRA_FD = 4;

export class SpawnedSupervisor implements Supervisor {
  readonly serverFds = 1;
  readonly #guardian: ChildProcess;
  readonly #socket: Socket | undefined;
  #events: SupervisorEvents | undefined;
  #isOpen = true;
  #mayHaveTree = false;
  #error: Error | undefined;

  constructor(launcherProgram: string, extraFds: readonly number[]) {
    // Its own session, so that a Ctrl-C meant for the server does not reach it; an empty environment and / as cwd, so
    // that it neither shows nor pins anything of the server's.
    this.#guardian = spawn(launcherProgram, [], {
      argv0: 'codex-launcher',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...extraFds],
      env: {},
      cwd: '/',
      detached: true,
    });
    this.#guardian.on('error', (error) => this.#close(error));
    // Short of descriptors Node sets no `stdio` at all; the error follows as an event.
    const stdio = this.#guardian.stdio as ChildProcess['stdio'] | undefined;
    this.#socket = (stdio?.[3] as Socket | null | undefined) ?? undefined;
    const decoder = new StatusDecoder();
    this.#socket?.on('data', (block: Buffer) => {
      const statuses = decoder.push(block);
      if (statuses === null) this.end();
      for (const status of statuses ?? []) {
        if (status.type === 'treeGone' || status.type === 'failed') this.#mayHaveTree = false;
        this.#events?.status(status);
      }
    });
    this.#socket?.on('error', () => {}); // 'close' follows
    this.#socket?.on('close', () => this.#close(undefined));
  }

  get hasStarted(): boolean {
    return this.#guardian.pid !== undefined;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  rest(): void {
    this.#events = undefined;
    setBusy(this, false);
    this.#guardian.unref();
    this.#socket?.unref();
  }

  launch(record: Buffer, events: SupervisorEvents): void {
    this.#events = events;
    this.#guardian.ref();
    this.#socket?.ref();
    if (this.#isOpen) {
      setBusy(this, true);
      this.#mayHaveTree = true;
      this.#socket?.write(record);
    } else {
      events.closed(this.#error);
    }
  }

  send(order: Order): void {
    if (!this.#isOpen) return;
    this.#socket?.write(encodeOrder(order));
    if (order.type === 'killTree') this.#guardian.kill('SIGCONT');
  }

  /** What comes in wakes the supervisor, and the guardian wakes it too. Node signals a child only until it has reaped it. */
  wake(): void {
    this.send({ type: 'wake' });
    this.#guardian.kill('SIGCONT');
  }

  end(): void {
    this.#socket?.destroy();
  }

  #close(error: Error | undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setBusy(this, false);
    this.#guardian.unref(); // it ends when it can; a server that shuts down does not wait for one that is kept stopped
    if (this.#mayHaveTree) new StrayHunt({ guardian: this.#guardian }).begin();
    this.#error = error;
    this.#events?.closed(error);
  }
}
