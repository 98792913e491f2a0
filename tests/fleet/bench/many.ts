// `npm run bench:fleet -- many`: a hundred machines on one broker, as programs of their own. What an open costs, how many
// a second, and what the broker takes.

import { ExecServerClient } from '@codex/exec-client';
import { FleetCaller, FleetSession } from '@codex/exec-fleet';
import { startBroker } from '../support/broker.js';
import { processorSeconds, residentMib } from '../support/process-cost.js';
import { type Program, startExecutor } from '../support/programs.js';
import { quantile } from './measure.js';
import { print } from './print.js';

const MACHINES = Number(process.env['MACHINES'] ?? 100);
const OPENS = 300;
const AT_ONCE = 16;

const broker = await startBroker();
const machines: Program[] = [];
const began = performance.now();
for (let index = 0; index < MACHINES; index += 4) {
  const names = [0, 1, 2, 3].map((offset) => `m${index + offset}`).slice(0, MACHINES - index);
  machines.push(
    ...(await Promise.all(names.map((name) => startExecutor(broker.url, name, ['--session-ttl-ms', '10'])))),
  );
}
print(`${machines.length} machines joined in ${((performance.now() - began) / 1000).toFixed(1)} s`);

const [used, since] = [processorSeconds(broker.pid), performance.now()];
await new Promise((resolve) => setTimeout(resolve, 10_000));
const share = (processorSeconds(broker.pid) - used) / ((performance.now() - since) / 1000);
print(`broker: ${residentMib(broker.pid).toFixed(0)} MiB, ${(100 * share).toFixed(1)} % of a core at rest`);

const opens: number[] = [];
for (let count = 0; count < OPENS; count++) {
  const start = performance.now();
  const client = await ExecServerClient.connect(broker.url, { environment: 'test' });
  opens.push(performance.now() - start);
  await client.close();
}
print(
  `connect to the broker, acquire and initialize: p50 ${quantile(opens, 0.5).toFixed(1)} ms, p99 ${quantile(opens, 0.99).toFixed(1)} ms`,
);

const caller = await FleetCaller.connect({
  broker: broker.url,
  name: 'bench',
  role: 'g',
  budgetBytes: 64 * 1024 * 1024,
});
const acquire = async (): Promise<number> => {
  const start = performance.now();
  const channel = await new FleetSession({ caller, environment: 'test' }).open(
    new AbortController().signal,
    null,
  );
  await new Promise<void>((resolve) => {
    channel.start({ message: () => resolve(), drained: () => undefined, closed: () => resolve() });
    channel.send('{"id":1,"method":"initialize","params":{"clientName":"bench"}}');
  });
  const elapsed = performance.now() - start;
  channel.close();
  return elapsed;
};
const acquires: number[] = [];
for (let count = 0; count < OPENS; count++) acquires.push(await acquire());
print(
  `acquire and initialize: p50 ${quantile(acquires, 0.5).toFixed(1)} ms, p99 ${quantile(acquires, 0.99).toFixed(1)} ms`,
);
const start = performance.now();
let opened = 0;
const worker = async (): Promise<void> => {
  while (performance.now() - start < 5000) {
    await acquire();
    opened++;
  }
};
await Promise.all(Array.from({ length: AT_ONCE }, worker));
print(`opens, ${AT_ONCE} at once: ${Math.round(opened / ((performance.now() - start) / 1000))} /s`);
await caller.close();
await Promise.all(machines.map((machine) => machine.stop()));
await broker.stop();
