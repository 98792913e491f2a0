// Fifty clients work while brokers, gateways and machines are killed and frozen at random. Every byte is compared, every command
// leaves a mark; what is lost has to be said, and only the death of a machine may lose anything.

import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExecServerClient, ExecServerError } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { freePort, startBroker } from './support/broker.js';
import { numberedDigest, receiveNumbered } from './support/counted-output.js';
import { isFull } from './support/full.js';
import { type Program, startExecutor, startGateway } from './support/programs.js';
import { type Replaceable, strikeAtRandom } from './support/random-strikes.js';

const CLIENTS = 50;
const MACHINES = 4;
const STRIKES_MS = Number(process.env['FLEET_STRIKES_MS'] ?? 45_000);
/** Longer than any rule of the fleet lets a client wait. */
const HUNG_MS = 120_000;

const replaceable = async (start: () => Promise<Program>): Promise<Replaceable> => ({
  program: await start(),
  restart: start,
});

interface Tally {
  done: number;
  bytes: number;
  readonly lost: Map<string, number>;
  readonly wrong: string[];
}

it.skipIf(!isFull)(
  'bytes arrive once or are said to be lost, whatever dies',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fleet-marks-'));
    const broker = await startBroker();
    const machines: Replaceable[] = [];
    for (let index = 0; index < MACHINES; index++)
      machines.push(await replaceable(() => startExecutor(broker.url, `x${index}`)));
    const gateways: Replaceable[] = [];
    const urls: string[] = [broker.url, broker.url];
    for (let index = 0; index < 2; index++) {
      const url = `ws://127.0.0.1:${await freePort()}`;
      gateways.push(await replaceable(() => startGateway(broker.url, ['--listen', url])));
      urls.push(`${url}/e/test`);
    }
    const tally: Tally = { done: 0, bytes: 0, lost: new Map(), wrong: [] };
    let isOver = false;
    const workers = Array.from({ length: CLIENTS }, async (_, index) => {
      const url = urls[index % urls.length] ?? broker.url;
      while (!isOver) await workInOneSession(url, { tally, folder, isOver: () => isOver });
    });
    const strikes = await strikeAtRandom({ broker, gateways, machines }, STRIKES_MS);
    isOver = true;
    const ended = await within(Promise.all(workers), HUNG_MS);
    process.stdout.write(`${JSON.stringify({ ...tally, lost: [...tally.lost], strikes: [...strikes] })}\n`);
    for (const { program } of [...gateways, ...machines]) await program.stop();
    await broker.stop();
    const twice = readdirSync(folder).filter((name) => readFileSync(join(folder, name), 'utf8') !== 'ran\n');
    rmSync(folder, { recursive: true });
    expect(ended).toBe(true);
    expect(tally.wrong).toEqual([]);
    expect(twice).toEqual([]);
    expect(tally.done).toBeGreaterThan(CLIENTS);
    if (!strikes.has('machine')) expect(tally.lost).toEqual(new Map());
  },
  STRIKES_MS + 2 * HUNG_MS,
);

interface Work {
  readonly tally: Tally;
  readonly folder: string;
  isOver(): boolean;
}

async function workInOneSession(url: string, { tally, folder, isOver }: Work): Promise<void> {
  const client = await connected(url);
  if (client === undefined) return;
  try {
    while (!isOver()) {
      tally.bytes += await oneOf([download, upload, mark])(client, tally, folder);
      tally.done++;
    }
  } catch (error) {
    note(tally, error);
  } finally {
    await client.close();
  }
}

/** Undefined while what it is to connect to is dead, which a first attempt tells at once. */
async function connected(url: string): Promise<ExecServerClient | undefined> {
  const place = url.startsWith('nats') ? { environment: 'test' } : {};
  try {
    return await ExecServerClient.connect(url, { ...place, connectTimeoutMs: 30_000 });
  } catch (error) {
    if (!(error instanceof ExecServerError) || !FIRST_ATTEMPT.has(error.code)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return undefined;
  }
}

const FIRST_ATTEMPT: ReadonlySet<string> = new Set([
  'transport.connect',
  'transport.timeout',
  'fleet.noCapacity',
]);

type Job = (client: ExecServerClient, tally: Tally, folder: string) => Promise<number>;

const download: Job = async (client, { wrong }) => {
  const lines = 1 + Math.floor(Math.random() * 100_000);
  const { digest, bytes, exitCode } = await receiveNumbered(client, lines);
  if (exitCode === null) throw new Lost();
  if (digest !== numberedDigest(lines) || exitCode !== 0)
    wrong.push(`download of ${lines} lines: ${bytes} bytes, exit code ${exitCode}`);
  return bytes;
};

const upload: Job = async (client, { wrong }) => {
  const bytes = randomBytes(1 + Math.floor(Math.random() * 1_000_000));
  const outcome = await client.run(['sha256sum'], { stdin: { data: bytes }, check: false });
  if (outcome.exitCode === null) throw new Lost();
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (!outcome.stdout.text.startsWith(digest)) wrong.push(`upload of ${bytes.length} bytes`);
  return bytes.length;
};

/** A command that was admitted ran once, and not again after a cut. */
const mark: Job = async (client, { wrong }, folder) => {
  const file = join(folder, randomBytes(8).toString('hex'));
  const outcome = await client.run(['sh', '-c', `sleep 0.2; echo ran >> ${file}; echo done`], {
    check: false,
  });
  if (outcome.exitCode === null) throw new Lost();
  if (outcome.stdout.text !== 'done\n') wrong.push(`a mark: ${JSON.stringify(outcome.stdout.text)}`);
  return 5;
};

class Lost extends Error {}

/** Losses by their reason; everything else is wrong. */
function note({ lost, wrong }: Tally, error: unknown): void {
  const { code, details } = error instanceof ExecServerError ? error : { code: '', details: {} };
  const reason = error instanceof Lost ? 'outcome' : String(Reflect.get(Object(details), 'reason') ?? code);
  if (error instanceof Lost || code === 'transport.lost' || code === 'session.unknown')
    lost.set(reason, (lost.get(reason) ?? 0) + 1);
  else wrong.push(String(error));
}

function oneOf<T>(items: readonly [T, ...T[]]): T {
  return items[Math.floor(Math.random() * items.length)] ?? items[0];
}

async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const ended = await Promise.race([work.then(() => true as const), late]);
  clearTimeout(timer);
  return ended;
}
