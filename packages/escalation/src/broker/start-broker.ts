// The broker as this server sees it: calls, and the door that their brokers come through.
import { type BrokerLimits, Call } from './call.js';
import { Door } from './door.js';
import type { CallOptions, EscalationBroker, EscalationCall } from './escalation-broker.js';
import { locatePrograms } from './locate-programs.js';

export interface BrokerOptions {
  /** Default: that of this package. */
  readonly brokerProgram?: string;
  readonly limits?: Partial<BrokerLimits>;
}

const LIMITS: BrokerLimits = { maxSessions: 256, firstFrameMs: 5000 };

export async function startBroker(options: BrokerOptions = {}): Promise<EscalationBroker> {
  const program = options.brokerProgram ?? locatePrograms().broker;
  const door = new Door();
  await door.open();
  return new BrokerCalls(program, { ...LIMITS, ...options.limits }, door);
}

class BrokerCalls implements EscalationBroker {
  readonly #program: string;
  readonly #limits: BrokerLimits;
  readonly #door: Door;
  readonly #calls = new Set<Call>();

  constructor(program: string, limits: BrokerLimits, door: Door) {
    this.#program = program;
    this.#limits = limits;
    this.#door = door;
  }

  openCall(options: CallOptions): EscalationCall {
    const call = new Call({ ...options }, { program: this.#program, limits: this.#limits, door: this.#door });
    this.#calls.add(call);
    void call.closed.then(() => this.#calls.delete(call));
    return call;
  }

  async close(): Promise<void> {
    const calls = [...this.#calls];
    for (const call of calls) call.end();
    await Promise.all(calls.map((call) => call.closed));
    await this.#door.close();
  }
}
