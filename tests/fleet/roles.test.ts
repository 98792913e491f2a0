// What each role may not do, asked of a real broker with real credentials: nobody speaks or listens for somebody else.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetKeys, type Role } from '@codex/exec-fleet';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-roles-'));
const keys = FleetKeys.create(join(folder, 'keys'), ['red']);
const E = 'exec.v1.gpu';
let broker: Broker;

beforeAll(async () => {
  broker = await startBroker({ config: keys.brokerConfig() });
});
afterAll(async () => {
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Tried {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Which of these the broker does not allow. */
async function refused(role: Role, { publish, subscribe }: Tried): Promise<Tried & { readonly key: string }> {
  const { credentials, key } = keys.mint({
    account: 'red',
    role,
    environments: ['gpu'],
    name: role,
    ...(role === 'executor' ? { machine: 'x1' } : {}),
  });
  const file = join(folder, `${role}-${key}.creds`);
  writeFileSync(file, credentials, { mode: 0o600 });
  const authenticator = credsAuthenticator(new TextEncoder().encode(credentials));
  const connection: NatsConnection = await connect({ servers: broker.url, authenticator });
  const seen: { operation: string; subject: string }[] = [];
  void (async () => {
    for await (const status of connection.status())
      if (status.type === 'error') seen.push(status.error as unknown as (typeof seen)[number]);
  })();
  const own = (subject: string): string => subject.replace('KEY', key);
  for (const subject of publish) connection.publish(own(subject), '{}');
  for (const subject of subscribe) connection.subscribe(own(subject), { callback: () => undefined });
  await connection.flush();
  // The status is told in a later turn.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await connection.close();
  const of = (operation: string, tried: readonly string[]): string[] =>
    tried.filter((subject) =>
      seen.some((refusal) => refusal.operation === operation && refusal.subject === own(subject)),
    );
  return { key, publish: of('publish', publish), subscribe: of('subscription', subscribe) };
}

const ANYBODY = 'UOTHER';
const EVERYTHING: Tried = {
  publish: [
    `${E}.open.c.KEY`,
    `${E}.open.g.KEY`,
    `${E}.open.c.${ANYBODY}`,
    `${E}.x.x1.c.KEY.open`,
    `${E}.x.x1.g.KEY.open`,
    `${E}.x.x1.c.${ANYBODY}.channel`,
    `${E}.r.c.${ANYBODY}.i.channel`,
    `${E}.beat.x1`,
    `${E}.beat.x2`,
    `${E}.drain.x1`,
    `${E}.want.c.${ANYBODY}`,
    'exec.v1.cpu.open.c.KEY',
    '$SRV.PING',
    '_INBOX.a',
    '$SYS.REQ.SERVER.PING',
    '$JS.API.INFO',
  ],
  subscribe: [
    '>',
    '*.>',
    `${E}.open.*.*`,
    `${E}.x.x1.>`,
    `${E}.x.x2.>`,
    `${E}.x.*.>`,
    `${E}.r.c.KEY.>`,
    `${E}.r.c.${ANYBODY}.>`,
    `${E}.r.>`,
    `${E}.beat.*`,
    `${E}.drain.x2`,
    '_INBOX.>',
    '$SRV.>',
    '$SYS.>',
  ],
};

it.each<[Role, { readonly publish: readonly string[]; readonly subscribe: readonly string[] }]>([
  ['client', { publish: [`${E}.open.c.KEY`, `${E}.x.x1.c.KEY.open`], subscribe: [`${E}.r.c.KEY.>`] }],
  ['gateway', { publish: [`${E}.open.g.KEY`, `${E}.x.x1.g.KEY.open`], subscribe: [] }],
  [
    'executor',
    {
      publish: [`${E}.r.c.${ANYBODY}.i.channel`, `${E}.beat.x1`, '_INBOX.a'],
      subscribe: [`${E}.open.*.*`, `${E}.x.x1.>`, '$SRV.>'],
    },
  ],
  ['observer', { publish: [], subscribe: [`${E}.beat.*`] }],
  ['admin', { publish: [`${E}.drain.x1`, '$SRV.PING'], subscribe: [`${E}.beat.*`, '_INBOX.>'] }],
])('%s: everything but this is refused', async (role, allowed) => {
  const { publish, subscribe } = await refused(role, EVERYTHING);
  expect({
    publish: EVERYTHING.publish.filter((subject) => !publish.includes(subject)),
    subscribe: EVERYTHING.subscribe.filter((subject) => !subscribe.includes(subject)),
  }).toEqual(allowed);
});
