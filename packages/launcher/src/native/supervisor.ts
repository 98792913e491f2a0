/** One running codex-launcher: starts it, sends it orders, hands on its reports. Knows nothing of pipes and ptys. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { encodeOrder, type Order } from './control-codec.js';
import { type Status, StatusDecoder } from './status-codec.js';

export interface SupervisorEvents {
  status(status: Status): void;
  /** The control socket is closed; nothing comes after. `error` when the program could not be started at all. */
  closed(error: Error | undefined): void;
}

/** The supervisor's number of the first descriptor handed to it after the control socket. */
export const FIRST_EXTRA_FD = 4;

export class Supervisor {
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
    this.#control = (this.#child.stdio[3] as Socket | null | undefined) ?? undefined;
    const decoder = new StatusDecoder();
    this.#control?.on('data', (block: Buffer) => {
      for (const status of decoder.push(block)) this.#events?.status(status);
    });
    this.#control?.on('error', () => {}); // 'close' follows
    this.#control?.on('close', () => this.#close(undefined));
  }

  /** Undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** While nothing was launched it does not keep the event loop alive. */
  keepIdle(): void {
    this.#child.unref();
    this.#control?.unref();
  }

  /** Hands over the launch record and says who listens from here on. */
  launch(record: Buffer, events: SupervisorEvents): void {
    this.#events = events;
    this.#child.ref();
    this.#control?.ref();
    if (this.#open) this.#control?.write(record);
    else events.closed(this.#error);
  }

  send(order: Order): void {
    if (!this.#open) return;
    this.#control?.write(encodeOrder(order));
    // A command of the same user may have stopped its supervisor; an order wakes it. The pid is ours until it is reaped.
    if (order.type === 'killTree') this.#child.kill('SIGCONT');
  }

  /** Its last report has been read, or it is not needed: lets it go. */
  release(): void {
    this.#control?.destroy();
  }

  #close(error: Error | undefined): void {
    if (!this.#open) return;
    this.#open = false;
    this.#error = error;
    this.#events?.closed(error);
  }
}
