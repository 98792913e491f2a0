// `fleet doctor`: the broker, the way to it, and the machines behind it, looked at from here.

import type { BrokerLink, PresentMachine } from '@codex/exec-fleet';
import { ExitCode } from '../exit-code.js';
import { printText } from '../print-text.js';
import type { BrokerFlags } from '../settings/fleet-flags.js';
import { withLink } from './operator-link.js';

type Mark = '✓' | '!' | '✗';
type Finding = readonly [mark: Mark, topic: string, detail: string];

/** Older brokers take what they send to a frozen client for a sign of its life, and lack later security fixes. */
const LEAST_VERSION = [2, 10, 27] as const;
const LEAST_PAYLOAD = 64 * 1024;
const USUAL_PAYLOAD = 1024 * 1024;

/** Clocks judge when credentials expire, and tickets by five seconds. */
const TOLERATED_MS = 5000;
const MOST_NAMED = 5;

export async function doctorFleet(flags: BrokerFlags): Promise<void> {
  const { callRoll } = await import('@codex/exec-fleet');
  const findings = await withLink(
    flags,
    async (link) => {
      const roundTripMs = await link.roundTrip();
      const found = examine(link, { roundTripMs, hasCredentials: flags.credentials !== undefined });
      return [...found, ...examineMachines(await callRoll(link))];
    },
    { handlesRefusals: true },
  );
  const width = Math.max(...findings.map(([, topic]) => topic.length));
  for (const [mark, topic, detail] of findings) printText(`${mark} ${topic.padEnd(width)}  ${detail}\n`);
  if (findings.some(([mark]) => mark === '✗')) throw new ExitCode(1);
}

function examine(
  link: Pick<BrokerLink, 'brokerVersion' | 'isEncrypted' | 'maxPayloadBytes' | 'address'>,
  { roundTripMs, hasCredentials }: { readonly roundTripMs: number; readonly hasCredentials: boolean },
): Finding[] {
  const { brokerVersion: version, maxPayloadBytes } = link;
  return [
    ['✓', 'broker', `${link.address.label} answers in ${roundTripMs} ms`],
    isOld(version)
      ? ['!', 'version', `${version} is old: use ${LEAST_VERSION.join('.')} or newer; it still works`]
      : ['✓', 'version', version],
    link.isEncrypted ? ['✓', 'encryption', 'TLS'] : ['!', 'encryption', 'none: fine on this machine only'],
    hasCredentials
      ? ['✓', 'credentials', 'accepted']
      : [
          '!',
          'credentials',
          'none were needed: everybody who reaches the broker may use the fleet; see `fleet init`',
        ],
    maxPayloadBytes < LEAST_PAYLOAD
      ? [
          '✗',
          'max_payload',
          `${maxPayloadBytes} bytes are too few; set max_payload to ${USUAL_PAYLOAD} or more`,
        ]
      : ['✓', 'max_payload', `${maxPayloadBytes} bytes`],
  ];
}

function examineMachines(machines: readonly PresentMachine[] | undefined): Finding[] {
  if (machines === undefined)
    return [
      ['!', 'machines', 'not asked: that takes the credentials of an operator (`fleet mint --role admin`)'],
    ];
  if (machines.length === 0)
    return [['!', 'machines', 'none answers: one joins with `exec-server --fleet … --environment …`']];
  const wrong = machines.filter(({ aheadMs = 0 }) => Math.abs(aheadMs) > TOLERATED_MS);
  const present: Finding = [
    '✓',
    'machines',
    `${machines.length} of this account: ${named(machines.map(nameOf))}`,
  ];
  if (wrong.length === 0) return [present, ['✓', 'clocks', 'of the machines agree with the one here']];
  const differences = wrong.map(
    (machine) =>
      `${nameOf(machine)} is ${Math.round(Math.abs(machine.aheadMs ?? 0) / 1000)} s ${(machine.aheadMs ?? 0) > 0 ? 'ahead' : 'behind'}`,
  );
  return [
    present,
    [
      '!',
      'clocks',
      `differ from the one here: ${named(differences)}; tickets and what expires are judged by clocks, so set them by a time server`,
    ],
  ];
}

function nameOf({ environment, executor }: PresentMachine): string {
  return `${environment}/${executor}`;
}

function named(words: readonly string[]): string {
  const more = words.length - MOST_NAMED;
  return words.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function isOld(version: string): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of LEAST_VERSION.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}
