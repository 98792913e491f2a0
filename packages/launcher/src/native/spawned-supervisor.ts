/** A supervisor that Node has forked itself, with one socket between them. Knows nothing of pipes and ptys. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { setBusy } from './busy-supervisors.js';
import { encodeOrder, type Order } from './control-codec.js';
import { StatusDecoder } from './status-codec.js';
import type { Supervisor, SupervisorEvents } from './supervisor.js';

/** The supervisor's number of the first descriptor handed to it after the control socket. */
export const FIRST_EXTRA_FD = 4;

export class SpawnedSupervisor implements Supervisor {
  readonly parentPid = process.pid;
  readonly controlFds = 1;
  readonly #child: ChildProcess;
  readonly #control: Socket | undefined;
  #events: SupervisorEvents | undefined;
  #open = true;
  #error: Error | undefined;

  constructor(nativePath: string, extraFds: readonly number[]) {
    // Its own session, so that a Ctrl-C meant for the server does not reach it; an empty environment and / as cwd, so
    // that it neither shows nor pins anything of the server's.
    this.#child = spawn(nativePath, [], {
      argv0: 'codex-launcher',
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', ...extraFds],
      env: {},
      cwd: '/',
      detached: true,
    });
    this.#child.on('error', (error) => this.#close(error));
    // Short of descriptors Node sets no `stdio` at all; the error follows as an event.
    const stdio = this.#child.stdio as ChildProcess['stdio'] | undefined;
    this.#control = (stdio?.[3] as Socket | null | undefined) ?? undefined;
    const decoder = new StatusDecoder();
    this.#control?.on('data', (block: Buffer) => {
      const statuses = decoder.push(block);
      if (statuses === null) this.release();
      for (const status of statuses ?? []) this.#events?.status(status);
    });
    this.#control?.on('error', () => {}); // 'close' follows
    this.#control?.on('close', () => this.#close(undefined));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  rest(): void {
    this.#events = undefined;
    setBusy(this, false);
    this.#child.unref();
    this.#control?.unref();
  }

  launch(record: Buffer, events: SupervisorEvents): void {
    this.#events = events;
    this.#child.ref();
    this.#control?.ref();
    if (this.#open) {
      setBusy(this, true);
      this.#control?.write(record);
    } else {
      events.closed(this.#error);
    }
  }

  send(order: Order): void {
    if (!this.#open) return;
    this.#control?.write(encodeOrder(order));
    if (order.type === 'killTree') this.wake();
  }

  /** Safe at any time: Node signals a child only until it has reaped it. */
  wake(): void {
    this.#child.kill('SIGCONT');
  }

  release(): void {
    this.#control?.destroy();
  }

  #close(error: Error | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    setBusy(this, false);
    this.#error = error;
    this.#events?.closed(error);
  }
}
