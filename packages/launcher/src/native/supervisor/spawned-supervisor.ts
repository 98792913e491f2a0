// A supervisor below a guardian that Node has started (guardian-process.ts), with one socket between it and Node. Knows
// nothing of pipes and ptys.
import type { Socket } from 'node:net';
import { encodeOrder, type Order } from '../codec/order-codec.js';
import { StatusDecoder } from '../codec/status-codec.js';
import { setBusy } from './busy-supervisors.js';
import type { GuardianProcess } from './guardian-process.js';
import type { Supervisor, SupervisorEvents } from './supervisor.js';

/** The number of the socket. */
const SOCKET_FD = 3;
/** The supervisor's number of the first descriptor handed to it after the socket. */
export const FIRST_EXTRA_FD = 4;

export class SpawnedSupervisor implements Supervisor {
  readonly serverFds = 1;
  readonly #guardian: GuardianProcess;
  readonly #socket: Socket | undefined;
  #events: SupervisorEvents | undefined;
  #isOpen = true;
  #mayHaveTree = false;
  #error: Error | undefined;

  constructor(guardian: GuardianProcess) {
    this.#guardian = guardian;
    this.#socket = guardian.socketAt(SOCKET_FD);
    guardian.watch({ gone: (error) => this.#guardianGone(error) });
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

  get isOpen(): boolean {
    return this.#isOpen;
  }

  rest(): void {
    this.#events = undefined;
    setBusy(this, false);
    this.#socket?.unref();
  }

  launch(record: Buffer, events: SupervisorEvents): void {
    this.#events = events;
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
    if (order.type === 'killTree') this.#guardian.wake();
  }

  /** What comes in wakes the supervisor, and the guardian wakes it too. */
  wake(): void {
    this.send({ type: 'wake' });
    this.#guardian.wake();
  }

  end(): void {
    this.#socket?.destroy();
  }

  /** One that waits is not used without a guardian; one that has a command goes on with it. */
  #guardianGone(error: Error | undefined): void {
    if (error !== undefined) this.#close(error);
    else if (this.#events === undefined) {
      this.end();
      this.#close(undefined);
    }
  }

  #close(error: Error | undefined): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setBusy(this, false);
    if (this.#mayHaveTree) this.#guardian.lost();
    this.#error = error;
    this.#events?.closed(error);
  }
}
