// A supervisor that the nursery has forked. Two pipes of its making are between it and Node: orders and statuses. Two more wait
// for what its first command prints. It ends with its orders, and when this process does (see Nursery.close), and the kernel wakes it with each order
// (native/nursery.c), so that Node need not signal a pid that is not its child's. The nursery's death does not end it.
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net';
import { killQuietly } from '../../kill-quietly.js';
import { LaunchError } from '../../launch-error.js';
import { type Born, MARK_BYTES } from '../codec/nursery-codec.js';
import { encodeOrder, type Order } from '../codec/order-codec.js';
import { StatusDecoder } from '../codec/status-codec.js';
import { setBusy } from '../supervisor/busy-supervisors.js';
import type { OutputEnds, Supervisor, SupervisorEvents } from '../supervisor/supervisor.js';
import { OrdersPipe } from './orders-pipe.js';

const OPENED = encodeOrder({ type: 'opened' });
const WAKE = encodeOrder({ type: 'wake' });
/** For all of them: a block is decoded before the next one is read. */
const statusMemory = Buffer.allocUnsafeSlow(16 * 1024);

/** What a supervisor needs its guardian, the nursery, for. */
export interface GuardianCalls {
  wake(): void;
  /** The supervisor is gone, and has not said that its tree is. */
  lost(): void;
}

const NO_CALLS: GuardianCalls = { wake: () => {}, lost: () => {} };

export class NurserySupervisor implements Supervisor {
  readonly pid: number;
  readonly serverFds = 5;
  readonly #guardian: GuardianCalls;
  readonly #orders: OrdersPipe;
  readonly #statuses: Socket;
  #outputs: OutputEnds | undefined;
  #events: SupervisorEvents | undefined;
  #isOpen = true;
  #mayHaveTree = false;

  /**
   * Throws the system's error when the pipes cannot be opened, and a LaunchError when they are not what they should be.
   */
  constructor(born: Born, mark: Buffer, guardian: GuardianCalls = NO_CALLS) {
    this.#guardian = guardian;
    this.pid = born.pid;
    const fds = openEnds(born, mark);
    this.#outputs = fds.outputs;
    this.#orders = new OrdersPipe(fds.orders);
    try {
      this.#statuses = this.#readStatuses(fds.statuses);
    } catch (error) {
      this.#orders.close();
      this.#closeOutputs();
      closeSync(fds.statuses);
      throw error;
    }
    this.#orders.write(OPENED);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  takeOutputs(): OutputEnds | undefined {
    const outputs = this.#outputs;
    this.#outputs = undefined;
    return outputs;
  }

  rest(): void {
    this.#events = undefined;
    setBusy(this, false);
    this.#statuses.unref();
  }

  launch(record: Buffer, events: SupervisorEvents): void {
    this.#events = events;
    this.#statuses.ref();
    if (this.#isOpen) {
      setBusy(this, true);
      this.#mayHaveTree = true;
      this.#orders.write(record);
    } else {
      events.closed(undefined);
    }
  }

  send(order: Order): void {
    if (this.#isOpen) this.#orders.write(encodeOrder(order));
  }

  /**
   * Nothing can be written while a record waits for room, so only there its pid is needed. Were it dead, its pid
   * reused and the end of its statuses not read yet, another process would get a SIGCONT.
   */
  wake(): void {
    if (!this.#isOpen) return;
    this.#guardian.wake();
    if (this.#orders.waiting === 0) this.#orders.write(WAKE);
    else killQuietly(this.pid, 'SIGCONT');
  }

  end(): void {
    this.#closeOutputs();
    this.#orders.close();
    this.#statuses.destroy();
  }

  #readStatuses(fd: number): Socket {
    const decoder = new StatusDecoder();
    const options: SocketConstructorOpts & ConnectOpts = {
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer: statusMemory,
        callback: (length) => {
          const statuses = decoder.push(statusMemory.subarray(0, length));
          if (statuses === null) this.#giveUp();
          for (const status of statuses ?? []) {
            if (status.type === 'treeGone' || status.type === 'failed') this.#mayHaveTree = false;
            this.#events?.status(status);
          }
          return statuses !== null;
        },
      },
    };
    const socket = new Socket(options);
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => this.#close());
    return socket;
  }

  /**
   * Another process writes its statuses. That process may hold the orders pipe open too, so that closing it is not seen.
   */
  #giveUp(): void {
    this.send({ type: 'killTree' });
    this.end();
  }

  #closeOutputs(): void {
    for (const fd of this.takeOutputs() ?? []) closeSync(fd);
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    setBusy(this, false);
    this.#closeOutputs();
    this.#orders.close();
    if (this.#mayHaveTree) this.#guardian.lost();
    this.#events?.closed(undefined);
  }
}

interface Ends {
  readonly orders: number;
  readonly statuses: number;
  readonly outputs: OutputEnds;
}

/**
 * The pid may be reused by now: the statuses begin with the mark only if it is still the supervisor, which it then also
 * was when the others were opened. Nothing is written to another process.
 */
function openEnds({ pid, ordersFd, statusesFd, outputFds }: Born, mark: Buffer): Ends {
  const opened: number[] = [];
  const open = (fd: number, mode: number): number => {
    opened.push(openSync(`/proc/${pid}/fd/${fd}`, mode | constants.O_NONBLOCK));
    return opened.at(-1) ?? -1;
  };
  try {
    const outputs: OutputEnds = [
      open(outputFds[0], constants.O_RDONLY),
      open(outputFds[1], constants.O_RDONLY),
    ];
    const orders = open(ordersFd, constants.O_WRONLY);
    const statuses = open(statusesFd, constants.O_RDONLY);
    const first = Buffer.alloc(MARK_BYTES);
    if (readSync(statuses, first) === MARK_BYTES && first.equals(mark)) return { orders, statuses, outputs };
    throw new LaunchError({ stage: 'supervisor', errno: 'ESRCH', message: 'the supervisor is gone' });
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  }
}
