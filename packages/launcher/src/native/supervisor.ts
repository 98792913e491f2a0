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

/** A command may stop its own supervisor (SIGSTOP), which then reports nothing. */
const WAKE_EVERY_MS = 1000;
const busy = new Set<Supervisor>();
let waker: NodeJS.Timeout | undefined;

function setBusy(supervisor: Supervisor, isBusy: boolean): void {
  if (isBusy) busy.add(supervisor);
  else busy.delete(supervisor);
  if (busy.size === 0) {
    clearInterval(waker);
    waker = undefined;
  } else {
    waker ??= setInterval(() => {
      for (const each of busy) each.wake();
    }, WAKE_EVERY_MS).unref();
  }
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
    // Short of descriptors Node sets no `stdio` at all; the error follows as an event.
    const stdio = this.#child.stdio as ChildProcess['stdio'] | undefined;
    this.#control = (stdio?.[3] as Socket | null | undefined) ?? undefined;
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

  /** Until the next launch: nobody listens, and it does not keep the event loop alive. */
  rest(): void {
    this.#events = undefined;
    setBusy(this, false);
    this.#child.unref();
    this.#control?.unref();
  }

  /** Hands over the launch record and says who listens from here on. */
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

  /** Its last report has been read, or it is not needed: lets it go. */
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
