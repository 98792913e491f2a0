// Keys made by the program, believed by real brokers: who may speak as whom, and who may not.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { BrokerLink, FleetKeys, Inventory, type Role, requestDrain } from '@codex/exec-fleet';
import { connect, credsAuthenticator } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { isFull } from './support/full.js';
import { type Machine, startMachine } from './support/machines.js';
import { until } from './support/until.js';

const versions = isFull ? ['2.9.10', '2.10.27', '2.15.1'] : ['2.10.27'];

describe.each(versions)('credentials on nats-server %s', (version) => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  const keys = FleetKeys.create(join(folder, 'keys'), ['red', 'blue']);
  const machines: Machine[] = [];
  let broker: Broker;
  let count = 0;

  const mint = (role: Role, more: Partial<Parameters<FleetKeys['mint']>[0]> = {}) => {
    const { credentials, key } = keys.mint({
      account: 'red',
      role,
      environments: ['gpu'],
      name: role,
      ...more,
    });
    const path = join(folder, `${count++}.creds`);
    writeFileSync(path, credentials, { mode: 0o600 });
    return { path, key };
  };

  beforeAll(async () => {
    broker = await startBroker({ version, config: keys.brokerConfig() });
    const { path } = mint('executor', { machine: 'x1' });
    machines.push(
      await startMachine({ broker: broker.url, environment: 'gpu', name: 'x1', credentials: path }),
    );
  });
  afterAll(async () => {
    for (const machine of machines) await machine.stop();
    await broker.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const clientOf = async (
    credentials: string | undefined,
    environment = 'gpu',
    more: Parameters<typeof ExecServerClient.connect>[1] = {},
  ) =>
    ExecServerClient.connect(broker.url, {
      ...more,
      environment,
      ...(credentials === undefined ? {} : { credentials }),
      fleet: { acquireTimeoutMs: 300 },
      connectTimeoutMs: 5000,
    });

  it('let a client work on the machines of its environment', async () => {
    const client = await clientOf(mint('client').path);
    expect((await client.run('echo hello')).stdout.text).toBe('hello\n');
    await client.close();
  });

  it('are needed', async () => {
    await expect(clientOf(undefined)).rejects.toThrow(/asks for credentials: name a file/);
  });

  it('are refused where others can read them', async () => {
    const { path } = mint('client');
    chmodSync(path, 0o644);
    await expect(clientOf(path)).rejects.toThrow(`${path} is open to others (mode 0644): close it with`);
  });

  it('keep tenants, environments and roles apart', async () => {
    const blue = mint('client', { account: 'blue' });
    await expect(clientOf(blue.path)).rejects.toMatchObject({ code: 'fleet.noCapacity' });
    const cpu = mint('client', { environments: ['cpu'] });
    await expect(clientOf(cpu.path)).rejects.toThrow('these credentials do not open a session here');
    const observer = mint('observer');
    await expect(clientOf(observer.path)).rejects.toThrow('these credentials do not open a session here');
  });

  it('refuse whoever speaks or listens under another name', async () => {
    const [mine, other] = [mint('client'), mint('client')];
    const connection = await connect({
      servers: broker.url,
      authenticator: credsAuthenticator(readFileSync(mine.path)),
    });
    const refusals: string[] = [];
    void (async () => {
      for await (const status of connection.status())
        if (status.type === 'error') refusals.push(status.error.message);
    })();
    connection.publish(`exec.v1.gpu.open.c.${other.key}`, '{}');
    connection.publish(`exec.v1.gpu.open.g.${mine.key}`, '{}');
    connection.publish(`exec.v1.gpu.r.c.${other.key}.i.c`, '{}');
    connection.publish('exec.v1.gpu.beat.x1', '{}');
    connection.publish('exec.v1.gpu.drain.x1', '{}');
    for (const subject of [
      `exec.v1.gpu.r.c.${other.key}.>`,
      'exec.v1.gpu.x.x1.>',
      'exec.v1.gpu.open.*.*',
      '>',
    ]) {
      connection.subscribe(subject, { callback: () => undefined });
    }
    await until(() => refusals.length >= 9);
    expect(refusals.every((text) => /permissions violation/i.test(text))).toBe(true);
    await connection.close();
  });

  it('bind a machine to its name', async () => {
    const { path } = mint('executor', { machine: 'x2' });
    const impostor = await startMachine({
      broker: broker.url,
      environment: 'gpu',
      name: 'x3',
      credentials: path,
    });
    machines.push(impostor);
    expect(impostor.failures[0]?.message).toContain(
      'these credentials are not for a machine gpu/x3 (they are for a machine x2): mint them with `--role executor --environment gpu --machine x3`',
    );
    const { path: client } = mint('client');
    await expect(
      ExecServerClient.connect(broker.url, {
        environment: 'gpu',
        machine: 'x3',
        credentials: client,
        fleet: { acquireTimeoutMs: 300 },
      }),
    ).rejects.toMatchObject({ code: 'fleet.noCapacity' });
    await machines.pop()?.stop();
  });

  it('name the machine that they are for, where nobody else does', async () => {
    const { path } = mint('executor', { machine: 'x5' });
    const named = await startMachine({ broker: broker.url, environment: 'gpu', credentials: path });
    machines.push(named);
    expect([named.executor.pin.executor, named.failures]).toEqual(['x5', []]);
    await machines.pop()?.stop();
  });

  it('let the tools of NATS ask who is there, and nobody else', async () => {
    const asks = async (path: string, subject: string): Promise<unknown[]> => {
      const connection = await connect({
        servers: broker.url,
        authenticator: credsAuthenticator(readFileSync(path)),
      });
      const answers: unknown[] = [];
      const refusals: string[] = [];
      void (async () => {
        for await (const status of connection.status())
          if (status.type === 'error') refusals.push(status.error.message);
      })();
      connection.subscribe('_INBOX.test.>', {
        callback: (error, message) => {
          if (error === null) answers.push(message.json());
        },
      });
      connection.publish(subject, '', { reply: '_INBOX.test.1' });
      await until(() => answers.length + refusals.length > 0);
      await connection.close();
      return answers;
    };
    const admin = mint('admin');
    const [ping] = await asks(admin.path, '$SRV.PING');
    expect(ping).toMatchObject({
      type: 'io.nats.micro.v1.ping_response',
      name: 'exec-server',
      metadata: { environment: 'gpu', executor: 'x1', state: 'serving' },
    });
    const { id } = ping as { id: string };
    expect(await asks(admin.path, `$SRV.STATS.exec-server.${id}`)).toMatchObject([
      { type: 'io.nats.micro.v1.stats_response', id, endpoints: [{ name: 'open', num_errors: 0 }] },
    ]);
    await expect(asks(mint('client').path, '$SRV.PING')).resolves.toEqual([]);
  });

  it('let an operator see and drain', async () => {
    const { path } = mint('admin');
    const { path: executor } = mint('executor', { machine: '*' });
    let isAsked = false;
    const link = await BrokerLink.connect({ broker: broker.url, credentials: path, name: 'test' });
    const inventory = new Inventory(link, 'gpu');
    const extra = await startMachine({
      broker: broker.url,
      environment: 'gpu',
      name: 'x9',
      credentials: executor,
      onDrain: () => {
        isAsked = true;
      },
    });
    machines.push(extra);
    await until(() => inventory.list().some((machine) => machine.executor === 'x9'), 8000);
    await requestDrain(link, 'gpu', 'x9');
    expect(isAsked).toBe(true);
    await expect(requestDrain(link, 'gpu', 'nobody')).rejects.toThrow('is not in the fleet');
    await link.close();
  });

  it('keep a session for whoever opened it, although another one knows its id', async () => {
    const [mine, other] = [mint('client'), mint('client')];
    const client = await clientOf(mine.path);
    const { sessionId } = (await client.spawn(['sleep', '60'])).detach();
    await client.close();
    await expect(clientOf(other.path, 'gpu', { resume: { sessionId } })).rejects.toMatchObject({
      code: 'session.unknown',
    });
    const again = await clientOf(mine.path, 'gpu', { resume: { sessionId } });
    await again.close();
  });

  it('let a machine beat under its own name only', async () => {
    const { path } = mint('executor', { machine: 'x2' });
    const admin = await BrokerLink.connect({
      broker: broker.url,
      credentials: mint('admin').path,
      name: 'test',
    });
    const inventory = new Inventory(admin, 'gpu');
    await admin.flush();
    const liar = await connect({
      servers: broker.url,
      authenticator: credsAuthenticator(readFileSync(path)),
    });
    const beat = {
      v: 1,
      boot: 'b',
      startedAt: 1,
      state: 'serving',
      sessions: 0,
      maxSessions: 1,
      channels: 0,
    };
    const told = { ...beat, version: '1', host: 'h', environment: 'gpu' };
    for (const executor of ['x1', 'x2"} 9', 'x2'])
      liar.publish('exec.v1.gpu.beat.x2', JSON.stringify({ ...told, executor }));
    await until(() => inventory.list().length > 0);
    expect(
      inventory
        .list()
        .filter(({ boot }) => boot === 'b')
        .map(({ executor }) => executor),
    ).toEqual(['x2']);
    await liar.close();
    await admin.close();
  });

  it('tell an observer that somebody found no room', async () => {
    const observer = await BrokerLink.connect({
      broker: broker.url,
      credentials: mint('observer', { environments: ['empty'] }).path,
      name: 'test',
    });
    const inventory = new Inventory(observer, 'empty');
    await observer.flush();
    const client = mint('client', { environments: ['empty'] });
    await expect(clientOf(client.path, 'empty')).rejects.toMatchObject({ code: 'fleet.noCapacity' });
    await until(() => inventory.wants.get('empty') === 1);
    await observer.close();
  });

  it('can be taken back: whoever has them is shut out', async () => {
    const { path: executor, key: machineKey } = mint('executor', { machine: 'x4' });
    const machine = await startMachine({
      broker: broker.url,
      environment: 'gpu',
      name: 'x4',
      credentials: executor,
    });
    machines.push(machine);
    const { path, key } = mint('client');
    const client = await clientOf(path);
    for (const revoked of [key, machineKey]) keys.revoke(revoked);
    broker.reload(keys.brokerConfig());
    await until(() => machine.failures.length > 0);
    expect(machine.failures[0]?.message).toContain('lets this machine in no more');
    await expect(client.run('true')).rejects.toMatchObject({ code: 'transport.lost' });
    await expect(clientOf(path)).rejects.toThrow(/refuses the credentials .*: they were revoked, or/);
    await client.close();
    const other = await clientOf(mint('client').path);
    expect((await other.run('echo here')).stdout.text).toBe('here\n');
    await other.close();
  });

  it('expire', async () => {
    const { path } = mint('client', { expiresAt: Math.floor(Date.now() / 1000) - 1 });
    await expect(clientOf(path)).rejects.toThrow(/expired on \d{4}-.*: mint new ones/);
  });
});

it('are files that nobody else can read, in a folder that is never overwritten', () => {
  const parent = mkdtempSync(join(tmpdir(), 'fleet-keys-'));
  const folder = join(parent, 'keys');
  FleetKeys.create(folder, ['default']);
  expect(statSync(join(folder, 'operator.nk')).mode & 0o777).toBe(0o600);
  expect(() => FleetKeys.create(folder, ['default'])).toThrow('is not empty');
  rmSync(parent, { recursive: true, force: true });
});
