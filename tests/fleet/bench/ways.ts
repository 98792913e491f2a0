// `npm run bench:fleet`: the same samples directly, over the broker and through a gateway, interleaved in rounds. It
// asserts nothing and prints a table with ratios.

import { loadavg } from 'node:os';
import { ExecServerClient } from '@codex/exec-client';
import { startBroker } from '../support/broker.js';
import { startExecutor, startGateway, startProgram } from '../support/programs.js';
import { median, SCENARIOS } from './measure.js';
import { print } from './print.js';

const ROUNDS = Number(process.env['ROUNDS'] ?? 4);

const broker = await startBroker();
const programs = [
  await startProgram(['--listen', 'ws://127.0.0.1:0', '--quiet']),
  await startExecutor(broker.url, 'x1'),
  await startGateway(broker.url),
];
const [direct, , gateway] = programs;
const ways: readonly [string, ExecServerClient][] = [
  ['direct', await ExecServerClient.connect(direct?.line ?? '')],
  ['nats://', await ExecServerClient.connect(broker.url, { environment: 'test' })],
  ['gateway', await ExecServerClient.connect(gateway?.line ?? '')],
];
const load = loadavg()[0] ?? 0;
print(`| | ${ways.map(([name]) => name).join(' | ')} | nats:// to direct | gateway to direct |`);
print('|---|---:|---:|---:|---:|---:|');
for (const scenario of SCENARIOS) {
  const samples = new Map<string, number[]>(ways.map(([name]) => [name, []]));
  for (const [, client] of ways) await scenario.prepare?.(client);
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, client] of ways) {
      for (let count = 0; count < scenario.samplesPerRound; count++) {
        const value = await scenario.sample(client);
        // The first round is for the machine to get warm.
        if (round > 0) samples.get(name)?.push(value);
      }
    }
  }
  const medians = ways.map(([name]) => median(samples.get(name) ?? []));
  const [base = Number.NaN, ...others] = medians;
  const digits = scenario.unit === 'ms' ? 2 : 0;
  const cells = medians.map((value) => `${value.toFixed(digits)} ${scenario.unit}`);
  print(
    `| ${scenario.name} | ${[...cells, ...others.map((value) => `${(value / base).toFixed(2)} ×`)].join(' | ')} |`,
  );
}
print(`\nLoad average ${load.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after; ${ROUNDS} rounds.`);
for (const [, client] of ways) await client.close();
await Promise.all(programs.map((program) => program.stop()));
await broker.stop();
