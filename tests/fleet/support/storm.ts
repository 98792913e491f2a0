// Many machines and many clients that all lose their broker at once: what each client wrote has to come back to it once, in
// order. The machines are real servers with real processes, all in this program, as the clients are.

import { ExecServerClient, type RemoteProcess } from '@codex/exec-client';
import { type Machine, startMachine } from './machines.js';
import { until } from './until.js';

export interface StormOptions {
  readonly url: string;
  readonly machines: number;
  readonly clients: number;
  /** What happens to the broker while everybody works. Resolves when there is one again. */
  strike(): Promise<void>;
  /** Everybody works again. */
  recovered?(): Promise<void>;
}

export interface StormResult {
  /** From the moment when there was a broker again, for each client, to the first line that came back to it. */
  readonly recoveredMs: readonly number[];
  /** Clients whose lines did not come back as they were written. */
  readonly wrong: readonly string[];
}

interface Worker {
  readonly client: ExecServerClient;
  readonly cat: RemoteProcess;
  /** Everything that came back. */
  text: string;
  lines: number;
}

const AT_ONCE = 10;
/** Each client writes so many lines before, and so many after; and one from time to time between. */
const LINES = 20;
const EVERY_MS = 50;

export async function runStorm({
  url,
  machines,
  clients,
  strike,
  recovered,
}: StormOptions): Promise<StormResult> {
  const most = Math.ceil((clients / machines) * 3);
  const started: Machine[] = [];
  for (let index = 0; index < machines; index++)
    started.push(await startMachine({ broker: url, name: `m${index}`, maxSessions: most }));
  const workers: Worker[] = [];
  while (workers.length < clients)
    workers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => work(url)))));
  for (const worker of workers) await write(worker, LINES);
  let isOver = false;
  const writing = workers.map(async (worker) => {
    while (!isOver) {
      await write(worker, 1);
      await pause(EVERY_MS * (1 + Math.random()));
    }
  });
  await strike();
  const backAt = performance.now();
  const linesThen = workers.map(({ lines }) => lines);
  const recoveredMs = await Promise.all(
    workers.map(async (worker, index) => {
      await until(() => cameBack(worker) > (linesThen[index] ?? 0), 55_000);
      return performance.now() - backAt;
    }),
  );
  await recovered?.();
  isOver = true;
  await Promise.all(writing);
  for (const worker of workers) await write(worker, LINES);
  const wrong = await Promise.all(workers.map(finish));
  for (const machine of started) await machine.stop();
  return { recoveredMs, wrong: wrong.filter((what) => what !== '') };
}

async function work(url: string): Promise<Worker> {
  const client = await ExecServerClient.connect(url, { environment: 'test', connectTimeoutMs: 30_000 });
  const cat = await client.spawn(['cat'], { stdin: 'pipe' });
  const worker: Worker = { client, cat, text: '', lines: 0 };
  void (async () => {
    for await (const text of cat.stdout.text()) worker.text += text;
  })().catch(() => undefined);
  return worker;
}

const line = (number: number): string => `line ${number}\n`;

async function write(worker: Worker, lines: number): Promise<void> {
  for (let count = 0; count < lines; count++) await worker.cat.stdin.write(line(++worker.lines));
}

function cameBack({ text }: Worker): number {
  return Number(/line (\d+)\n$/.exec(text)?.[1] ?? 0);
}

/** What is wrong with what came back, or nothing. */
async function finish(worker: Worker): Promise<string> {
  const { client, cat, lines } = worker;
  await cat.stdin.end();
  const { exitCode } = await cat.wait();
  const expected = Array.from({ length: lines }, (_, index) => line(index + 1)).join('');
  await until(() => worker.text.length >= expected.length, 10_000).catch(() => undefined);
  await client.close();
  if (worker.text === expected && exitCode === 0) return '';
  return `${worker.text.length} characters instead of ${expected.length}, exit code ${exitCode}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
