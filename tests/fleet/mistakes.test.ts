// What a newcomer gets wrong ends, and is told in words that say what to do.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient } from '@codex/exec-client';
import { FleetKeys } from '@codex/exec-fleet';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { isFull } from './support/full.js';
import { type Program, startGateway } from './support/programs.js';
import { runOnce } from './support/run-once.js';

const folder = mkdtempSync(join(tmpdir(), 'fleet-mistakes-'));
const keys = FleetKeys.create(join(folder, 'keys'), ['default']);
const open: Program[] = [];
let broker: Broker;
let guarded: Broker;

const credentials = (role: 'client' | 'gateway'): { readonly path: string; readonly key: string } => {
  const path = join(folder, `${role}.creds`);
  const minted = keys.mint({ account: 'default', role, environments: ['*'], name: role });
  writeFileSync(path, minted.credentials, { mode: 0o600 });
  return { path, key: minted.key };
};
const said = async (...args: string[]): Promise<string> => {
  const { code, stderr } = await runOnce(args);
  expect(code, stderr).toBe(1);
  return stderr;
};

beforeAll(async () => {
  broker = await startBroker();
  guarded = await startBroker({ config: keys.brokerConfig() });
});
afterAll(async () => {
  await Promise.all(open.map((program) => program.stop()));
  await Promise.all([broker.stop(), guarded.stop()]);
  rmSync(folder, { recursive: true, force: true });
});

describe('a gateway', () => {
  const gateway = (...more: string[]): Promise<string> =>
    said('gateway', '--environment', 'test', '--listen', 'ws://127.0.0.1:0', ...more);

  it('tells clients of another environment that there is none', async () => {
    const program = await startGateway(broker.url);
    open.push(program);
    for (const path of ['/e/gpu', '/e/test/x', '/test'])
      await expect(ExecServerClient.connect(`${program.line}${path}`)).rejects.toThrow(
        'a gateway serves /e/ENVIRONMENT, of those',
      );
  });

  it('whose port is taken ends', async () => {
    const first = await startGateway(broker.url);
    open.push(first);
    const words = await gateway('--fleet', broker.url, '--listen', first.line);
    expect(words).toContain('a program listens there already');
  });

  it('with the credentials of a client ends, and says which ones it needs', async () => {
    const words = await gateway('--fleet', guarded.url, '--credentials', credentials('client').path);
    expect(words).toContain('mint them with `--role gateway`, for environment test');
  });

  it('whose credentials are taken back ends, and says so', async () => {
    const { path, key } = credentials('gateway');
    const program = await startGateway(guarded.url, ['--credentials', path]);
    open.push(program);
    keys.revoke(key);
    guarded.reload(keys.brokerConfig());
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toContain('the broker lets this gateway in no more');
  });

  it.skipIf(!isFull)('tells a client that waits in vain that there is no room', async () => {
    const program = await startGateway(broker.url);
    open.push(program);
    await expect(ExecServerClient.connect(`${program.line}/e/test/m/x9`)).rejects.toThrow(
      'machine test/x9 does not answer with room',
    );
  });
});

describe('a machine', () => {
  const machine = (...more: string[]): Promise<string> => said('--environment', 'test', ...more);

  it('with the credentials of a client is told to mint others', async () => {
    const words = await machine('--fleet', guarded.url, '--credentials', credentials('client').path);
    expect(words).toContain('`--role executor --environment test --machine NAME`');
  });

  it('whose status cannot be served ends', async () => {
    const words = await machine('--fleet', broker.url, '--status-listen', `127.0.0.1:${broker.port}`);
    expect(words).toContain('cannot listen on');
  });

  it.skipIf(!isFull)('that dials something that never answers ends', async () => {
    const silent: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    expect(await machine('--fleet', `nats://127.0.0.1:${port}`)).toContain(
      'another program than nats-server',
    );
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe('people', () => {
  it.each([
    [
      ['fleet', 'mint', join(folder, 'elsewhere'), '--role', 'client', '--out', 'no.creds'],
      '`exec-server fleet init ',
    ],
    [
      ['fleet', 'mint', join(folder, 'keys'), '--role', 'client', '--account', 'red', '--out', 'no.creds'],
      'there is no account red',
    ],
  ])('are told what is missing: %s', async (args, words) => {
    expect(await said(...args)).toContain(words);
  });

  it('are told how a machine joins when there is none', async () => {
    const words = await said('fleet', 'ls', '--fleet', broker.url, '--environment', 'gpu', '--wait-ms', '10');
    expect(words).toContain(`One joins with: exec-server --fleet ${broker.url} --environment gpu`);
  });

  it('are told where a fleet is reached when they name its broker to `run`', async () => {
    const { code, stderr } = await runOnce(['run', '--url', broker.url, '--', 'true']);
    expect(code).toBe(125);
    expect(stderr).toContain('ws://HOST:PORT/e/ENVIRONMENT');
  });
});

it('a machine of another version is told apart from wrong credentials', async () => {
  const connection = await connect({ servers: broker.url });
  connection.subscribe('exec.v1.later.open.*.*', {
    callback: (_error, message) => void message.respond('{"v":2,"executor":"x1","boot":"b","window":1}'),
  });
  const connecting = ExecServerClient.connect(broker.url, { environment: 'later' });
  await expect(connecting).rejects.toThrow('upgrade clients and gateways first, machines last');
  await connection.close();
});
