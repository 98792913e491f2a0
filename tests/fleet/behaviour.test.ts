// Opening, naming, resuming, and what one client may do to others.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { linuxHost, readOnly } from '@codex/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { type Machine, startMachine } from './support/machines.js';
import { startExecutor } from './support/programs.js';
import { until } from './support/until.js';

/** Older kernels cannot keep a command from one port. */
const LANDLOCK_WITH_TCP = 4;

let broker: Broker;
const machines: Machine[] = [];
const clients: ExecServerClient[] = [];

beforeAll(async () => {
  broker = await startBroker();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  for (const machine of machines.splice(0)) await machine.stop();
});
afterAll(() => broker.stop());

const machine = async (
  name: string,
  more: Partial<Parameters<typeof startMachine>[0]> = {},
): Promise<Machine> => {
  const started = await startMachine({ broker: broker.url, name, ...more });
  machines.push(started);
  return started;
};
const connect = async (
  more: Parameters<typeof ExecServerClient.connect>[1] = {},
): Promise<ExecServerClient> => {
  const client = await ExecServerClient.connect(broker.url, { environment: 'test', ...more });
  clients.push(client);
  return client;
};

describe('a session', () => {
  it('goes to machines by their free slots, and is refused when there are none', async () => {
    const [small, large] = [
      await machine('small', { maxSessions: 1 }),
      await machine('large', { maxSessions: 3 }),
    ];
    for (let count = 0; count < 4; count++) await connect();
    expect([small.executor.sessions, large.executor.sessions]).toEqual([1, 3]);
    const refusal = await connect({ fleet: { acquireTimeoutMs: 300 } }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'fleet.noCapacity',
      details: { environment: 'test' },
      retryable: true,
    });
  });

  it('is given to whoever waits as soon as a slot is free', async () => {
    await machine('x1', { maxSessions: 1, server: { session: { sessionTtlMs: 50 } } });
    const first = await connect();
    const second = connect();
    await first.close();
    expect((await (await second).run('echo mine')).stdout.text).toBe('mine\n');
  });

  it('goes to the machine that was named', async () => {
    await machine('x1');
    const named = await machine('x2');
    for (let count = 0; count < 3; count++) await connect({ machine: 'x2' });
    expect(named.executor.sessions).toBe(3);
    await expect(connect({ machine: 'x3', fleet: { acquireTimeoutMs: 200 } })).rejects.toThrow(
      'machine test/x3',
    );
  });

  it('ends with its client, whose slot is free at once', async () => {
    const { executor } = await machine('x1', { maxSessions: 1 });
    for (let count = 0; count < 3; count++) {
      const client = await connect({ fleet: { acquireTimeoutMs: 5000 } });
      await client.spawn(['sleep', '300']);
      await client.close();
    }
    await until(() => executor.sessions === 0);
  });

  it('outlives a client that left a process in it', async () => {
    const { executor } = await machine('x1', { maxSessions: 1 });
    const client = await connect();
    const ref = (await client.spawn(['sleep', '300'])).detach();
    await client.close();
    const again = await connect({ resume: ref });
    expect(await again.processes()).toHaveLength(1);
    // Whoever took a session up does not end what others left in it.
    await again.close();
    await until(() => executor.channelCount === 0);
    expect(executor.sessions).toBe(1);
  });

  it('can be taken up from elsewhere, on the machine that holds it', async () => {
    await Promise.all([machine('x1'), machine('x2'), machine('x3')]);
    const first = await connect();
    const process = await first.spawn(['cat'], { stdin: 'pipe' });
    const ref = process.detach();
    await first.close();
    const second = await connect({ resume: { sessionId: ref.sessionId } });
    const again = await second.attach(ref);
    await again.stdin.write('hello\n');
    await again.waitFor('hello');
    await again.stop();
  });

  it('is unknown to everybody when it never was', async () => {
    await machine('x1');
    const sessionId = 'x1~000000000000~00000000-0000-4000-8000-000000000000';
    await expect(connect({ resume: { sessionId } })).rejects.toMatchObject({ code: 'session.unknown' });
  });

  it('carries large files both ways', async () => {
    await machine('x1');
    const client = await connect();
    const folder = mkdtempSync(join(tmpdir(), 'fleet-files-'));
    const bytes = Buffer.alloc(40 * 1024 * 1024, 'some bytes ');
    await client.fs.write(join(folder, 'large'), bytes);
    expect(readFileSync(join(folder, 'large')).equals(bytes)).toBe(true);
    expect(Buffer.from(await client.fs.readBytes(join(folder, 'large'))).equals(bytes)).toBe(true);
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('a client that does not read', () => {
  it('stalls its own processes and nobody else, and no broker calls anybody slow', async () => {
    await machine('x1');
    const { FleetCaller, FleetSession } = await import('@codex/exec-fleet');
    const caller = await FleetCaller.connect({ broker: broker.url, name: 'deaf', role: 'c', budgetBytes: 0 });
    const channel = await new FleetSession({ caller, environment: 'test' }).open(
      new AbortController().signal,
      null,
    );
    const replies: string[] = [];
    channel.start({
      message: (text) => replies.push(text),
      drained: () => undefined,
      closed: () => undefined,
    });
    channel.send('{"id":1,"method":"initialize","params":{"clientName":"deaf"}}');
    channel.send('{"method":"initialized"}');
    channel.send(
      '{"id":2,"method":"process/start","params":{"processId":"p","argv":["yes"],"cwd":"/","env":{"PATH":"/usr/bin:/bin"},"tty":false}}',
    );
    await until(() => replies.length > 3);
    channel.pause();
    const client = await connect();
    for (let count = 0; count < 20; count++)
      expect((await client.run(['echo', 'x'])).stdout.text).toBe('x\n');
    const varz = (await (await fetch(`${broker.monitorUrl}/varz`)).json()) as { slow_consumers: number };
    expect(varz.slow_consumers).toBe(0);
    const before = replies.length;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(replies.length - before).toBeLessThan(3);
    channel.resume();
    await until(() => replies.length > before + 100);
    await caller.close();
  });
});

describe('the way to the broker', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-tls-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('may be encrypted, also through a websocket, and a certificate that nobody vouches for is refused', async () => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
        '-addext',
        'subjectAltName=DNS:localhost,IP:127.0.0.1',
      ],
      { stdio: 'pipe' },
    );
    const { freePort } = await import('./support/broker.js');
    const port = await freePort();
    const tls = `tls: { cert_file: "${cert}", key_file: "${key}" }`;
    const secure = await startBroker({ config: `${tls}\nwebsocket: { port: ${port}, ${tls} }` });
    const url = secure.url.replace('nats:', 'tls:');
    const program = await startExecutor(url, 'x1', ['--fleet-ca', cert]);
    for (const address of [url, `wss://127.0.0.1:${port}`]) {
      const client = await ExecServerClient.connect(address, { environment: 'test', caFile: cert });
      expect((await client.run('echo safe')).stdout.text).toBe('safe\n');
      await client.close();
    }
    await expect(
      ExecServerClient.connect(url, { environment: 'test', connectTimeoutMs: 3000 }),
    ).rejects.toThrow(/certificate|self-signed/i);
    await program.stop();
    await secure.stop();
  });

  it('is refused in the clear to another machine', async () => {
    await expect(
      ExecServerClient.connect('ws://far.example', { environment: 'test', connectTimeoutMs: 3000 }),
    ).rejects.toThrow('in the clear');
  });
});

/** Says which of the ways to a port that are not a plain connection to 127.0.0.1 lead there. */
const otherWays = (port: number): string => `
import socket
MPTCP, SMC, FASTOPEN = 262, 256, 0x20000000
for family, host in ((socket.AF_INET, '127.0.0.1'), (socket.AF_INET6, '::ffff:127.0.0.1'), (socket.AF_INET, '0.0.0.0'), (socket.AF_INET6, '::1')):
    for protocol in (0, MPTCP, SMC):
        for flags in (None, FASTOPEN):
            try:
                with socket.socket(family, socket.SOCK_STREAM, protocol) as s:
                    if flags is None: s.connect((host, ${port}))
                    else: s.sendto(b'PING\\r\\n', flags, (host, ${port}))
                    if s.recv(4) == b'INFO': print('reached', host, protocol, flags)
            except OSError: pass
`;

it('keeps the credentials out of sandboxes and environments', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-secret-'));
  const { FleetKeys } = await import('@codex/exec-fleet');
  const keys = FleetKeys.create(join(folder, 'keys'), ['default']);
  const locked = await startBroker({ config: keys.brokerConfig() });
  const write = (role: 'executor' | 'client'): string => {
    const path = join(folder, `${role}.creds`);
    writeFileSync(
      path,
      keys.mint({ account: 'default', role, environments: ['*'], name: role, machine: 'x1' }).credentials,
      { mode: 0o600 },
    );
    return path;
  };
  const [executor, client] = [write('executor'), write('client')];
  const { startProgram } = await import('./support/programs.js');
  const program = await startProgram(['--environment', 'test', '--name', 'x1'], {
    EXEC_SERVER_FLEET: locked.url,
    EXEC_SERVER_CREDENTIALS: executor,
  });
  const connected = await ExecServerClient.connect(locked.url, { environment: 'test', credentials: client });
  const env = await connected.run('env', { inheritEnv: 'all' });
  expect(env.stdout.text).not.toContain('creds');
  const read = await connected.run(['cat', executor], { sandbox: readOnly() });
  expect(read.stdout.text).not.toContain('SEED');
  expect(read.exitCode).not.toBe(0);
  // The broker is out of reach too, for a command that may use the network.
  const dial = (port: number, sandbox?: ReturnType<typeof readOnly>) =>
    connected.run(['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port} && head -c 4 <&3`], {
      ...(sandbox === undefined ? {} : { sandbox }),
    });
  const withNetwork = readOnly({ network: 'enabled' });
  expect((await dial(locked.port)).stdout.text).toBe('INFO');
  const refused = await dial(locked.port, withNetwork);
  if (((await linuxHost()).landlockAbi ?? 0) >= LANDLOCK_WITH_TCP) {
    expect([refused.stdout.text, refused.exitCode]).toEqual(['', 1]);
    expect(refused.stderr.text).toMatch(/Permission denied/);
    const unseen = await connected.run(['python3', '-c', otherWays(locked.port)], { sandbox: withNetwork });
    expect([unseen.stdout.text, unseen.stderr.text]).toEqual(['', '']);
    expect((await connected.run(['python3', '-c', otherWays(locked.port)])).stdout.text).toContain('reached');
  }
  const monitorPort = Number(new URL(locked.monitorUrl).port);
  const other = await connected.run(
    ['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${monitorPort} && echo reached`],
    {
      sandbox: withNetwork,
    },
  );
  expect(other.stdout.text).toBe('reached\n');
  await connected.close();
  await program.stop();
  await locked.stop();
  rmSync(folder, { recursive: true, force: true });
});
