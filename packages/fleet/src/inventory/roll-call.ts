// Asks every machine of the account for a sign of life at once, as the tools of NATS do. Beats say the same, but take five seconds.

import { randomBytes } from 'node:crypto';
import type { BrokerLink } from '../broker/broker-link.js';
import { isName } from '../naming/subjects.js';

export interface PresentMachine {
  readonly environment: string;
  readonly executor: string;
  /** By how much its clock is ahead of the one here; undefined where it does not tell the time. */
  readonly aheadMs?: number;
}

const WAIT_MS = 1000;
const QUESTION = '$SRV.PING.exec-server';
/** So many answers are looked at. */
const MOST_MACHINES = 10_000;

/** Undefined where the credentials do not let it ask. */
export async function callRoll(
  link: BrokerLink,
  waitMs: number = WAIT_MS,
): Promise<PresentMachine[] | undefined> {
  const inbox = `_INBOX.${randomBytes(12).toString('hex')}`;
  const present = new Map<string, PresentMachine>();
  const askedAt = Date.now();
  const subscription = link.subscribe(inbox, ({ data }) => {
    // The question was on its way for half of the time, about.
    const machine = readAnswer(data, (askedAt + Date.now()) / 2);
    if (machine !== undefined && present.size < MOST_MACHINES)
      present.set(`${machine.environment}/${machine.executor}`, machine);
  });
  let unlisten = (): void => undefined;
  const mayNot = new Promise<'refused'>((resolve) => {
    unlisten = link.listen({
      refused: (_error, subject) => {
        if (subject === inbox || subject === QUESTION) resolve('refused');
      },
    });
  });
  link.publish(QUESTION, new Uint8Array(), inbox);
  const heard = new Promise<'heard'>((resolve) => setTimeout(() => resolve('heard'), waitMs));
  const outcome = await Promise.race([mayNot, heard]);
  unlisten();
  subscription.unsubscribe();
  return outcome === 'refused' ? undefined : [...present.values()];
}

function readAnswer(data: Uint8Array, askedAt: number): PresentMachine | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder().decode(data));
  } catch {
    return undefined;
  }
  const metadata: unknown = Reflect.get(Object(answer), 'metadata');
  const { environment, executor, time } = Object(metadata) as Readonly<Record<string, unknown>>;
  if (typeof environment !== 'string' || typeof executor !== 'string') return undefined;
  if (!isName(environment) || !isName(executor)) return undefined;
  const aheadMs = typeof time === 'string' ? Date.parse(time) - askedAt : Number.NaN;
  return { environment, executor, ...(Number.isFinite(aheadMs) ? { aheadMs: Math.round(aheadMs) } : {}) };
}
