// Who is let in by machines and gateways beside the broker's own word: tokens, tickets, rights; and what both tell in numbers.

import { createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { signUrlTicket } from '@codex/exec-listener/auth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Broker, freePort, startBroker } from './support/broker.js';
import { isFull } from './support/full.js';
import { residentMib } from './support/process-cost.js';
import { type Program, startExecutor, startGateway } from './support/programs.js';
import { runOnce } from './support/run-once.js';
import { Unfinished } from './support/unfinished.js';
import { until } from './support/until.js';

const MIB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'fleet-doors-'));
const secret = randomBytes(32).toString('hex');
const secretFile = join(folder, 'secret');
const withTokens = ['--ws-auth', 'signed-bearer-token', '--ws-shared-secret-file', secretFile];
const programs: Program[] = [];
let broker: Broker;

const started = async (program: Promise<Program>): Promise<Program> => {
  programs.push(await program);
  return program;
};
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = (claims: object = {}): string => {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const signed = `${encode({ alg: 'HS256' })}.${encode({ exp, sub: 'ci', ...claims })}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

beforeAll(async () => {
  writeFileSync(secretFile, secret, { mode: 0o600 });
  broker = await startBroker();
});
afterAll(async () => {
  for (const program of programs.reverse()) await program.stop();
  await broker.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a machine may ask for a token beside the credentials', async () => {
  await started(startExecutor(broker.url, 'guarded', [...withTokens, '--session-ttl-ms', '100']));
  const connect = (more: { token?: string } = {}) =>
    ExecServerClient.connect(broker.url, { environment: 'test', machine: 'guarded', ...more });
  await expect(connect()).rejects.toThrow('missing websocket bearer token');
  await expect(connect({ token: token({ exp: 1 }) })).rejects.toThrow('expired');
  const client = await connect({ token: token() });
  expect((await client.run('echo in')).stdout.text).toBe('in\n');
  await client.close();
});

describe('a gateway', () => {
  const connect = (url: string, more: Parameters<typeof ExecServerClient.connect>[1] = {}) =>
    ExecServerClient.connect(url, { reconnect: false, ...more });

  beforeAll(async () => {
    await started(startExecutor(broker.url, 'x1'));
  });

  it('passes on no more than its client may do', async () => {
    const gateway = await started(startGateway(broker.url, withTokens));
    const url = `${gateway.line}/e/test/m/x1`;
    await expect(connect(url)).rejects.toThrow(/missing websocket bearer token|401/);
    await expect(connect(url, { token: token({ scope: 'exec.observe' }) })).rejects.toThrow(
      'this connection may not open a session',
    );
    const client = await connect(url, { token: token() });
    expect((await client.run('echo in')).stdout.text).toBe('in\n');
    await client.close();
  });

  it.skipIf(!isFull)('holds no more of what clients begin to say than it has room for', async () => {
    const gateway = await started(startGateway(broker.url));
    const before = residentMib(gateway.pid);
    const crowd = await Promise.all(
      Array.from({ length: 60 }, () => Unfinished.begin(gateway.line, 60 * MIB)),
    );
    for (let round = 0; round < 24; round++) await Promise.all(crowd.map((one) => one.say(MIB)));
    await until(() => crowd.filter(({ isOver }) => isOver).length >= 60 - 8);
    expect(residentMib(gateway.pid) - before).toBeLessThan(900);
    const client = await connect(`${gateway.line}/e/test/m/x1`);
    const file = Buffer.alloc(30 * MIB, 'whole');
    await client.fs.write('/tmp/fleet-unfinished-test', file);
    expect((await client.run('wc -c < /tmp/fleet-unfinished-test')).stdout.text.trim()).toBe(
      String(file.length),
    );
    await client.run(['rm', '/tmp/fleet-unfinished-test']);
    await client.close();
    for (const one of crowd) one.end();
  });

  it('lets a ticket open one session, and lead back to it', async () => {
    const gateway = await started(startGateway(broker.url, ['--ticket-secret-file', secretFile]));
    const at = (ticket: string): string => `${gateway.line}/e/test/m/x1?ticket=${ticket}`;
    const { stdout } = await runOnce([
      'fleet',
      'ticket',
      '--secret-file',
      secretFile,
      '--environment',
      'test',
    ]);
    const ticket = stdout.trim();
    const client = await connect(at(ticket));
    const ref = (await client.spawn(['cat'], { stdin: 'pipe' })).detach();
    await client.close();
    await expect(connect(at(ticket))).rejects.toThrow('the ticket is spent');
    const other = signUrlTicket({ secret, audience: 'test' });
    await expect(connect(at(other), { resume: { sessionId: ref.sessionId } })).rejects.toMatchObject({
      code: 'session.unknown',
    });
    const again = await connect(at(ticket), { resume: { sessionId: ref.sessionId } });
    const cat = await again.attach(ref);
    await cat.stdin.write('back\n');
    await cat.waitFor('back');
    await cat.stop();
    await again.close();
    await expect(connect(at(signUrlTicket({ secret, audience: 'elsewhere' })))).rejects.toThrow(
      /401|invalid ticket/,
    );
    await expect(connect(`${gateway.line}/e/test`)).rejects.toThrow(/401|a ticket is missing/);
  });
});

it('machines and gateways tell their numbers, and whether they are ready', async () => {
  const [machinePort, gatewayPort] = [await freePort(), await freePort()];
  const machine = await started(
    startExecutor(broker.url, 'counted', ['--status-listen', `127.0.0.1:${machinePort}`]),
  );
  const gateway = await started(startGateway(broker.url, ['--status-listen', `127.0.0.1:${gatewayPort}`]));
  const client = await ExecServerClient.connect(`${gateway.line}/e/test/m/counted`);
  await client.run('seq 1 1000');
  const read = async (port: number): Promise<string> =>
    (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const SHARED = [
    'exec_fleet_opens_total{result="accepted"} 1',
    'exec_fleet_channels 1',
    'exec_fleet_channels_opened_total 1',
    /^exec_fleet_bytes_total\{direction="in"\} [1-9]\d+$/m,
    /^exec_fleet_bytes_total\{direction="out"\} [1-9]\d+$/m,
    'exec_fleet_credit_stalled_seconds_total 0',
    'exec_fleet_broker_reconnects_total 0',
    '# TYPE exec_fleet_channel_ends_total counter',
    '# TYPE exec_fleet_resumes_total counter',
    '# TYPE exec_fleet_lost_total counter',
  ];
  const OF_MACHINE = [
    'exec_fleet_sessions 1',
    'exec_server_connections_active{transport="websocket"} 1',
    'exec_server_processes_active 0',
  ];
  const OF_GATEWAY = ['exec_fleet_gateway_clients 1', 'exec_fleet_open_seconds_count 1'];
  for (const [port, names] of [
    [machinePort, [...SHARED, ...OF_MACHINE]],
    [gatewayPort, [...SHARED, ...OF_GATEWAY]],
  ] as const) {
    const text = await read(port);
    for (const name of names)
      expect(text).toEqual(
        typeof name === 'string' ? expect.stringContaining(name) : expect.stringMatching(name),
      );
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(/^(?:# (?:HELP|TYPE) |[a-z_]+(?:\{[^}]*\})? [\d.e+-]+$)/);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  }
  // The gateway asks its machine all the time.
  await until(async () => /^exec_fleet_round_trip_seconds_count [1-9]/m.test(await read(gatewayPort)));
  machine.signal('SIGTERM');
  await until(async () => (await fetch(`http://127.0.0.1:${machinePort}/readyz`)).status === 503);
  await client.close();
});
