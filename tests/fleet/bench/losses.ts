// `npm run bench:fleet -- losses`: how long it takes until something that died is told, or is got over.

import { ExecServerClient } from '@codex/exec-client';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { type Broker, startBroker } from '../support/broker.js';
import { type Program, startExecutor, startGateway } from '../support/programs.js';
import { median } from './measure.js';
import { print } from './print.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const BULK_BYTES = 256 * 1024 * 1024;

interface Fleet {
  readonly broker: Broker;
  readonly machine: Program;
}

async function onFleet<T>(version: string | undefined, work: (fleet: Fleet) => Promise<T>): Promise<T> {
  const broker = await startBroker(version === undefined ? {} : { version });
  const machine = await startExecutor(broker.url, 'x1');
  try {
    return await work({ broker, machine });
  } finally {
    await machine.stop();
    await broker.stop();
  }
}

const connect = (broker: Broker, lossGraceMs?: number): Promise<ExecServerClient> =>
  ExecServerClient.connect(broker.url, {
    environment: 'test',
    ...(lossGraceMs === undefined ? {} : { fleet: { lossGraceMs } }),
  });

/** From the signal to the typed outcome of a command. */
const untilTold = (signal: 'SIGKILL' | 'SIGSTOP', options: { lossGraceMs?: number; version?: string } = {}) =>
  onFleet(options.version, async ({ broker, machine }) => {
    const client = await connect(broker, options.lossGraceMs);
    const process = await client.spawn(['sleep', '300']);
    // A broker is believed that nobody is there when the connection to it is two seconds old.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const began = performance.now();
    machine.signal(signal);
    const outcome = await process.wait();
    const seconds = (performance.now() - began) / 1000;
    if (outcome.kind !== 'lost') throw new Error(`not lost: ${outcome.kind}`);
    await client.close();
    return seconds;
  });

/** From when it could go on to the next byte; all of them are counted at the end. */
async function untilFlowing(client: ExecServerClient, strike: () => Promise<number>): Promise<number> {
  const process = await client.spawn(['head', '-c', String(BULK_BYTES), '/dev/zero']);
  let bytes = 0;
  let struck: Promise<number> | undefined;
  let possibleAt: number | undefined;
  let flowingAt: number | undefined;
  for await (const chunk of process.stdout.bytes()) {
    bytes += chunk.length;
    if (possibleAt !== undefined) flowingAt ??= performance.now();
    if (struck === undefined && bytes > BULK_BYTES / 4) {
      struck = strike();
      void struck.then((at) => {
        possibleAt = at;
      });
    }
  }
  if (bytes !== BULK_BYTES) throw new Error(`${bytes} bytes came instead of ${BULK_BYTES}`);
  return ((flowingAt ?? Number.NaN) - (await (struck ?? Promise.resolve(Number.NaN)))) / 1000;
}

const brokerBack = () =>
  onFleet(undefined, async ({ broker }) => {
    const client = await connect(broker);
    const seconds = await untilFlowing(client, async () => {
      await broker.kill();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await broker.restart();
      return performance.now();
    });
    await client.close();
    return seconds;
  });

const gatewayReplaced = () =>
  onFleet(undefined, async ({ broker }) => {
    const [first, second] = [await startGateway(broker.url), await startGateway(broker.url)];
    let current = first;
    const client = await ExecServerClient.connect({
      channel: () => connectWebSocket(`${current.line}/e/test`, {}),
    });
    const seconds = await untilFlowing(client, async () => {
      current = second;
      await first.kill();
      return performance.now();
    });
    await client.close();
    await second.stop();
    return seconds;
  });

const ROWS: readonly (readonly [what: string, goal: string, measure: () => Promise<number>])[] = [
  ['a machine is killed, to the typed outcome', '6.5 s', () => untilTold('SIGKILL')],
  ['the same with `lossGraceMs: 1000`', '2 s', () => untilTold('SIGKILL', { lossGraceMs: 1000 })],
  ['a machine is frozen, nats-server 2.10.27', '12 s', () => untilTold('SIGSTOP')],
  ['a machine is frozen, nats-server 2.9.10', '12 s', () => untilTold('SIGSTOP', { version: '2.9.10' })],
  [
    'the broker is killed during 256 MiB and back after 1 s: from its port to the next byte',
    '1 s',
    brokerBack,
  ],
  ['a gateway is killed during 256 MiB: to the next byte through another', '1.5 s', gatewayReplaced],
];

print('| | median | worst | goal |');
print('|---|---:|---:|---:|');
for (const [what, goal, measure] of ROWS) {
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) seconds.push(await measure());
  print(`| ${what} | ${median(seconds).toFixed(2)} s | ${Math.max(...seconds).toFixed(2)} s | ${goal} |`);
}
