// Kills and freezes what is between clients and machines, and sometimes machines, at random moments. What is killed comes back.

import type { Broker } from './broker.js';
import type { Program } from './programs.js';

export interface Targets {
  readonly broker: Broker;
  /** Each can be started anew in its place. */
  readonly gateways: Replaceable[];
  readonly machines: Replaceable[];
}

export interface Replaceable {
  program: Program;
  restart(): Promise<Program>;
}

export type Strike = 'broker' | 'gateway' | 'machine' | 'frozenBroker' | 'frozenGateway' | 'frozenMachine';

/** Machines are killed seldom: what they hold is lost for good. */
const WEIGHTS: readonly (readonly [Strike, number])[] = [
  ['broker', 3],
  ['gateway', 4],
  ['machine', 1],
  ['frozenBroker', 2],
  ['frozenGateway', 3],
  ['frozenMachine', 3],
];
const LONGEST_FREEZE_MS = 2500;
const LONGEST_PAUSE_MS = 1500;

/** Returns how often each of them happened. */
export async function strikeAtRandom(targets: Targets, untilMs: number): Promise<Map<Strike, number>> {
  const counts = new Map<Strike, number>();
  const end = performance.now() + untilMs;
  while (performance.now() < end) {
    const strike = choose();
    counts.set(strike, (counts.get(strike) ?? 0) + 1);
    await STRIKES[strike](targets);
    await pause(Math.random() * LONGEST_PAUSE_MS);
  }
  return counts;
}

const STRIKES: Readonly<Record<Strike, (targets: Targets) => Promise<void>>> = {
  broker: async ({ broker }) => {
    await broker.kill();
    await pause(Math.random() * 1000);
    await broker.restart();
  },
  gateway: ({ gateways }) => replace(oneOf(gateways)),
  machine: ({ machines }) => replace(oneOf(machines)),
  frozenBroker: async ({ broker }) => {
    broker.freeze();
    await pause(Math.random() * LONGEST_FREEZE_MS);
    broker.thaw();
  },
  frozenGateway: ({ gateways }) => freeze(oneOf(gateways).program),
  frozenMachine: ({ machines }) => freeze(oneOf(machines).program),
};

async function replace(target: Replaceable): Promise<void> {
  await target.program.kill();
  target.program = await target.restart();
}

async function freeze(program: Program): Promise<void> {
  program.signal('SIGSTOP');
  await pause(Math.random() * LONGEST_FREEZE_MS);
  program.signal('SIGCONT');
}

function choose(): Strike {
  let left = Math.random() * WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [strike, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return strike;
  }
  return 'broker';
}

function oneOf<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('nothing to strike');
  return item;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
