// Lets clients that know only websockets use the fleet. It keeps no table: a client that comes back names its machine by
// its session id, so any gateway will do, and one that dies takes nothing along.

import { encodeError, invalidRequest } from '@codex/exec-protocol';
import type { Channel } from '@codex/exec-rpc';
import { CLOSE_NOT_READING as CLOSE_POLICY, CLOSE_TRY_AGAIN } from '../channel/close-payload.js';
import type { Principal } from '../channel/opening.js';
import { FleetError } from '../fleet-error.js';
import type { FleetMetrics } from '../inventory/fleet-metrics.js';
import { pinOf } from '../naming/session-id.js';
import type { FleetCaller } from '../opener/caller.js';
import { FleetSession } from '../opener/fleet-session.js';
import { type FirstMessage, readFirstMessage } from './first-message.js';
import { Splice } from './splice.js';

export interface GatewayPlace {
  readonly environment: string;
  readonly machine?: string;
  /** Who the client is and what it may do, as the gateway's own listener has found out. */
  readonly principal: Principal;
  /** May come back to a session, and open none. */
  readonly mayOnlyResume?: boolean;
}

export interface GatewayOptions {
  readonly caller: FleetCaller;
  readonly acquireTimeoutMs?: number;
  readonly lossGraceMs?: number;
  readonly metrics?: FleetMetrics;
  onRefused?(sentence: string): void;
}

/** A client that is asked for a sign of life on behalf of its machine. */
const PROBE_MS = 1500;
/** A client speaks at once; one that does not holds a place that others may want. As long as a machine waits. */
const HANDSHAKE_MS = 10_000;
/** What a client may send before there is a machine. Most send one short message and wait for its answer. */
const MOST_WAITING_BYTES = 64 * 1024;

export class Gateway {
  readonly #options: GatewayOptions;
  readonly #clients = new Set<Channel>();

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  get clientCount(): number {
    return this.#clients.size;
  }

  accept(client: Channel, place: GatewayPlace): void {
    const gone = new AbortController();
    const waiting: (string | Uint8Array)[] = [];
    let splice: Splice | undefined;
    let isOpening = false;
    let waitingBytes = 0;
    let late: NodeJS.Timeout | undefined;
    const expectMessage = (): void => {
      if (gone.signal.aborted) return;
      late = setTimeout(() => client.close(CLOSE_POLICY, 'no initialize in time'), HANDSHAKE_MS).unref();
    };
    const open = async (): Promise<void> => {
      isOpening = true;
      while (splice === undefined && waiting.length > 0 && client.canSend !== false) {
        const message = waiting.shift() ?? '';
        splice = await this.#open(client, { place, message, signal: gone.signal });
      }
      // A few messages may follow a pause.
      for (const message of waiting.splice(0)) splice?.toMachine(message);
      isOpening = false;
      waitingBytes = 0;
      client.resume();
      // It may try again where it was told that its session is lost.
      if (splice === undefined) expectMessage();
    };
    const take = (message: string | Uint8Array): void => {
      if (splice !== undefined && !isOpening) {
        splice.toMachine(message);
        return;
      }
      clearTimeout(late);
      waiting.push(message);
      waitingBytes += message.length;
      // Until then it is read, so that it sees us alive while a machine is looked for.
      if (waitingBytes >= MOST_WAITING_BYTES) client.pause();
      if (!isOpening) void open();
    };
    this.#clients.add(client);
    // Whether they are taken is the machine's to say.
    client.binary?.accept();
    expectMessage();
    client.start({
      message: take,
      binaryMessage: take,
      drained: () => splice?.clientDrained(),
      closed: (info) => {
        this.#clients.delete(client);
        clearTimeout(late);
        gone.abort();
        splice?.clientClosed(info);
      },
    });
  }

  /** Sends every client to another gateway, spread over some time so that they do not come all at once. */
  async close(spreadMs: number): Promise<void> {
    const clients = [...this.#clients];
    const pause = clients.length === 0 ? 0 : spreadMs / clients.length;
    for (const client of clients) {
      client.close(COME_AGAIN, 'the gateway is restarting');
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    await this.#options.caller.close();
  }

  /** Undefined when no machine was found: the client was told. */
  async #open(
    client: Channel,
    {
      place,
      message,
      signal,
    }: {
      readonly place: GatewayPlace;
      readonly message: string | Uint8Array;
      readonly signal: AbortSignal;
    },
  ): Promise<Splice | undefined> {
    const { caller, acquireTimeoutMs, lossGraceMs, metrics } = this.#options;
    const first = readFirstMessage(message);
    if (place.mayOnlyResume === true && !isReturn(first)) {
      this.#options.onRefused?.('a ticket was used twice, or too late');
      client.close(CLOSE_POLICY, 'the ticket is spent or too old: it only leads back to its session');
      return undefined;
    }
    const session = new FleetSession({
      caller,
      ...place,
      relay: { probe: () => client.probe(PROBE_MS) },
      ...(acquireTimeoutMs === undefined ? {} : { acquireTimeoutMs }),
      ...(lossGraceMs === undefined ? {} : { lossGraceMs }),
      ...(metrics === undefined ? {} : { metrics }),
      ...(first.trace === undefined ? {} : { trace: first.trace }),
    });
    try {
      const machine = await session.open(signal, first.resumeSessionId);
      const splice = new Splice(client, machine);
      splice.start();
      splice.toMachine(message);
      if (signal.aborted) machine.close();
      return splice;
    } catch (error) {
      if (!signal.aborted) this.#refuse(client, first, error);
      return undefined;
    }
  }

  /**
   * A session that is lost is answered as a server answers for a session it does not know: clients give up at once, and not
   * when their own patience ends. Without room the client should come again.
   */
  #refuse(client: Channel, { id, resumeSessionId }: FirstMessage, error: unknown): void {
    const sentence = error instanceof Error ? error.message : String(error);
    this.#options.onRefused?.(sentence);
    if (error instanceof FleetError && error.code === 'FLEET_LOST' && id !== undefined) {
      client.send(encodeError(id, invalidRequest(`unknown session id ${resumeSessionId}: ${sentence}`)));
    } else {
      client.close(CLOSE_TRY_AGAIN, sentence);
    }
  }
}

/** Of a session that a machine of the fleet has made: anything else would be given to any of them. */
function isReturn({ resumeSessionId }: FirstMessage): boolean {
  return resumeSessionId !== null && pinOf(resumeSessionId) !== undefined;
}

const COME_AGAIN = 1012;
