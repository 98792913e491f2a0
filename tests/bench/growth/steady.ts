// A keystroke on one connection while 64 others have 20 processes each that print: lines, pages and bursts.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { quantile } from '../report/statistics.js';
import { timed } from '../scenario.js';
import { startTypist } from '../scenarios/typist.js';
import { BenchClient } from '../subjects/bench-client.js';
import { type ServerCommand, ServerProcess } from '../subjects/server-process.js';

export const BUSY_CONNECTIONS = 64;
export const BUSY_PROCESSES = 20;
const KEYSTROKES = 500;
const BETWEEN_KEYS_MS = 20;
const SETTLED_MS = 3000;

const programs = join(dirname(fileURLToPath(import.meta.url)), '..', 'programs');

export interface SteadyFigures {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
  /** What the other connections got meanwhile, MB/s. */
  readonly outputOfOthers: number;
  /** The same keystrokes with nobody else there. */
  readonly alone: { readonly p50: number; readonly p99: number };
}

/** Undefined where there is no C compiler. */
export function compileChatter(folder: string): string | undefined {
  const program = join(folder, 'chatter');
  try {
    execFileSync('cc', ['-O2', '-o', program, join(programs, 'chatter.c')], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    return program;
  } catch {
    return undefined;
  }
}

export async function takeSteady(command: ServerCommand, chatter: string): Promise<SteadyFigures> {
  const server = await ServerProcess.start(command);
  let busy: Busy | undefined;
  try {
    const client = await BenchClient.connect(server.url);
    const type = await startTypist(client);
    const alone = await typeFor(type);
    busy = await Busy.start(server.url, chatter);
    await delay(SETTLED_MS);
    busy.forget();
    const beside = await typeFor(type);
    const outputOfOthers = busy.megabytesPerSecond();
    client.close();
    return {
      p50: quantile(beside, 0.5),
      p90: quantile(beside, 0.9),
      p99: quantile(beside, 0.99),
      max: Math.max(...beside),
      outputOfOthers,
      alone: { p50: quantile(alone, 0.5), p99: quantile(alone, 0.99) },
    };
  } finally {
    await busy?.stop();
    await server.stop();
  }
}

async function typeFor(type: () => Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  for (let count = 0; count < KEYSTROKES; count += 1) {
    taken.push(await timed(type));
    await delay(BETWEEN_KEYS_MS);
  }
  return taken;
}

/** The other connections, in a process of their own. */
class Busy {
  readonly #child: ChildProcess;
  #seconds: number[] = [];

  private constructor(child: ChildProcess, lines: Interface) {
    this.#child = child;
    lines.on('line', (line) => this.#seconds.push(Number(line)));
  }

  static async start(url: string, chatter: string): Promise<Busy> {
    const words = [join(programs, 'busy-clients.ts'), url, String(BUSY_CONNECTIONS), chatter];
    const child = spawn(process.execPath, ['--import', 'tsx', ...words], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: child.stdout });
    const [first] = (await Promise.race([once(lines, 'line'), once(child, 'exit')])) as [unknown];
    if (first !== 'ready') throw new Error(`the busy clients ended with ${String(first)}`);
    return new Busy(child, lines);
  }

  forget(): void {
    this.#seconds = [];
  }

  megabytesPerSecond(): number {
    return this.#seconds.reduce((sum, bytes) => sum + bytes, 0) / Math.max(1, this.#seconds.length) / 1e6;
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
  }
}
