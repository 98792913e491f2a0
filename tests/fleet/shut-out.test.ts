// Who may shut somebody out, and who may not: a client must not be able to end a machine, an operator must be able to end a client.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { FleetKeys, type Role } from '@codex/exec-fleet';
import { connect, credsAuthenticator } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { type Machine, startMachine } from './support/machines.js';
import { until } from './support/until.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-shut-out-'));
const keys = FleetKeys.create(join(folder, 'keys'), ['red']);
let broker: Broker;
let machine: Machine;
let count = 0;

function mint(role: Role, name?: string) {
  const place = name === undefined ? {} : { machine: name };
  const { credentials, key } = keys.mint({
    account: 'red',
    role,
    environments: ['test'],
    name: role,
    ...place,
  });
  const path = join(folder, `${count++}.creds`);
  writeFileSync(path, credentials, { mode: 0o600 });
  return { path, key };
}

const clientOf = (credentials: string) =>
  ExecServerClient.connect(broker.url, { environment: 'test', credentials });

beforeAll(async () => {
  broker = await startBroker({ config: keys.brokerConfig() });
  const { path } = mint('executor', 'x1');
  machine = await startMachine({ broker: broker.url, name: 'x1', credentials: path });
});
afterAll(async () => {
  await machine.stop();
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Frames of channels that are not there are answered where the caller says. The broker refuses a machine's answer at these.
it.each(['open.*.*', 'x.x1.>'])('a client does not, by an answer to %s', async (reply) => {
  const { path, key } = mint('client');
  const connection = await connect({
    servers: broker.url,
    authenticator: credsAuthenticator(readFileSync(path)),
  });
  const ping = Buffer.concat([Buffer.from([1, 3]), Buffer.alloc(27)]);
  connection.publish(`exec.v1.test.x.x1.c.${key}.unknown`, ping, {
    reply: `exec.v1.test.${reply}`,
  });
  await connection.flush();
  await connection.close();
  const client = await clientOf(mint('client').path);
  expect((await client.run('echo here')).stdout.text).toBe('here\n');
  await client.close();
  expect(machine.failures).toEqual([]);
});

it('an operator does, although the clock that made the credentials was fast', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
  const { path, key } = mint('client');
  vi.mocked(Date.now).mockRestore();
  const client = await clientOf(path);
  await client.close();
  keys.revoke(key);
  broker.reload(keys.brokerConfig());
  let refusal = '';
  await until(async () => {
    const next = await clientOf(path).catch((error: unknown) => String(error));
    if (typeof next === 'string') refusal = next;
    else await next.close();
    return refusal !== '';
  });
  expect(refusal).toContain('they were revoked, or');
});
