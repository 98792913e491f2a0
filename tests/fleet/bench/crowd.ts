// `npm run bench:fleet -- crowd`: what a fleet costs a machine and a broker, a client among a hundred that does not read, and
// machines that are replaced one after the other while sessions are opened all the time.

import { ExecServerClient } from '@codex/exec-client';
import { Executor, FleetCaller, FleetSession } from '@codex/exec-fleet';
import { startBroker } from '../support/broker.js';
import { residentMib } from '../support/process-cost.js';
import { type Program, startExecutor, startProgram } from '../support/programs.js';
import { median } from './measure.js';
import { print } from './print.js';

const SETTLE_MS = 3000;
const settle = (ms = SETTLE_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const row = (what: string, measured: string, goal: string): void =>
  print(`| ${what} | ${measured} | ${goal} |`);

print('| | measured | goal |');
print('|---|---:|---:|');
const broker = await startBroker();
await costOfFleet();
await deafClient();
await rollingRestart();
await emulatedMachines();
await broker.stop();

/** Interleaved: a machine that listens, and one in a fleet. */
async function costOfFleet(): Promise<void> {
  const times = { direct: [] as number[], fleet: [] as number[] };
  const memory = { direct: [] as number[], fleet: [] as number[] };
  for (let round = 0; round < 7; round++) {
    for (const kind of ['direct', 'fleet'] as const) {
      const began = performance.now();
      const program =
        kind === 'direct'
          ? await startProgram(['--listen', 'ws://127.0.0.1:0', '--quiet'])
          : await startExecutor(broker.url, `cost${round}`);
      times[kind].push(performance.now() - began);
      await settle(1500);
      memory[kind].push(residentMib(program.pid));
      await program.stop();
    }
  }
  const more = (values: { direct: number[]; fleet: number[] }): number =>
    median(values.fleet) - median(values.direct);
  row('a machine: start-up beyond that of a server', `${more(times).toFixed(0)} ms`, '40 ms');
  row('a machine: memory at rest beyond that of a server', `${more(memory).toFixed(1)} MiB`, '8 MiB');
}

/** A hundred clients; the 99 are measured while all read, and while one does not, in turns. */
async function deafClient(): Promise<void> {
  const machine = await startExecutor(broker.url, 'crowd');
  const clients = await Promise.all(
    Array.from({ length: 99 }, () => ExecServerClient.connect(broker.url, { environment: 'test' })),
  );
  const caller = await FleetCaller.connect({ broker: broker.url, name: 'deaf', role: 'c', budgetBytes: 0 });
  const deaf = await new FleetSession({ caller, environment: 'test' }).open(
    new AbortController().signal,
    null,
  );
  let messages = 0;
  deaf.start({ message: () => messages++, drained: () => undefined, closed: () => undefined });
  deaf.send('{"id":1,"method":"initialize","params":{"clientName":"deaf"}}');
  deaf.send('{"method":"initialized"}');
  const sample = async (): Promise<number> => {
    const times: number[] = [];
    for (const client of clients) {
      const began = performance.now();
      await client.fs.stat('/');
      times.push(performance.now() - began);
    }
    return median(times);
  };
  // The first ones are for the machine to get warm; those without the deaf client are taken before and after it.
  for (let round = 0; round < 10; round++) await sample();
  const [others, alone]: [number[], number[]] = [[], []];
  for (let round = 0; round < 10; round++) alone.push(await sample());
  deaf.pause();
  deaf.send(
    '{"id":2,"method":"process/start","params":{"processId":"p","argv":["yes"],"cwd":"/","env":{"PATH":"/usr/bin:/bin"},"tty":false}}',
  );
  await settle(500);
  for (let round = 0; round < 20; round++) others.push(await sample());
  deaf.close();
  await settle(500);
  for (let round = 0; round < 10; round++) alone.push(await sample());
  const { slow_consumers: slow } = (await (await fetch(`${broker.monitorUrl}/varz`)).json()) as {
    slow_consumers: number;
  };
  row(
    'one client of 100 does not read: round trip of the others, to that without it',
    `${(median(others) / median(alone)).toFixed(2)} ×, ${slow} slow consumers`,
    '1.10 ×, 0',
  );
  for (const client of clients) await client.close();
  await caller.close();
  await machine.stop();
}

/** Twenty machines are replaced one by one; fifty sessions are opened a second, each runs a command. */
async function rollingRestart(): Promise<void> {
  const machines: Program[] = [];
  for (let index = 0; index < 20; index++)
    machines.push(await startExecutor(broker.url, `old${index}`, ['--session-ttl-ms', '200']));
  let [opened, failed, cut] = [0, 0, 0];
  const over = new AbortController();
  const pending = new Set<Promise<void>>();
  const oneSession = async (): Promise<void> => {
    try {
      const client = await ExecServerClient.connect(broker.url, { environment: 'test' });
      opened++;
      const { exitCode } = await client.run('sleep 0.5; exit 7');
      if (exitCode !== 7) cut++;
      await client.close();
    } catch {
      failed++;
    }
  };
  const opening = (async () => {
    while (!over.signal.aborted) {
      const one: Promise<void> = oneSession().finally(() => pending.delete(one));
      pending.add(one);
      await settle(20);
    }
  })();
  const began = performance.now();
  for (let index = 0; index < 20; index++) {
    machines.push(await startExecutor(broker.url, `new${index}`, ['--session-ttl-ms', '200']));
    const old = machines[index];
    old?.signal('SIGTERM');
    await old?.exited;
  }
  over.abort();
  await opening;
  await Promise.all(pending);
  const rate = opened / ((performance.now() - began) / 1000);
  row(
    `20 machines replaced one by one at ${rate.toFixed(0)} opens/s`,
    `${opened} opened, ${failed} failed, ${cut} cut`,
    '0 failed, 0 cut',
  );
  await Promise.all(machines.map((machine) => machine.stop()));
}

/** Connections and subscriptions of 2,000 machines, without servers behind them. */
async function emulatedMachines(): Promise<void> {
  const executors: Executor[] = [];
  for (let index = 0; index < 2000; index += 50) {
    executors.push(
      ...(await Promise.all(
        Array.from({ length: 50 }, async (_, offset) => {
          const executor = await Executor.join({
            broker: broker.url,
            environment: 'emulated',
            name: `e${index + offset}`,
            maxSessions: 8,
            sessionTtlMs: 1000,
            maxSessionTtlMs: 1000,
            version: 'bench',
            onFailure: () => undefined,
          });
          await executor.serve({ accept: () => ({ closed: new Promise(() => undefined) }) });
          return executor;
        }),
      )),
    );
  }
  await settle(10_000);
  row(
    '2,000 emulated machines: memory of the broker',
    `${residentMib(broker.pid).toFixed(0)} MiB`,
    '200 MiB',
  );
  await Promise.all(executors.map((executor) => executor.leave()));
}
