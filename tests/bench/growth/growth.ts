// `npm run bench -- growth`: how figures change with 1, 10, 100 and 1,000 processes and connections, and how a keystroke
// fares on a busy server. Ours and the real one in turns. It asserts nothing: it prints, and writes JSON and a picture.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serverCommands } from '../choose-subjects.js';
import { renderCurves } from '../report/curve-chart.js';
import type { GrowthReport } from '../report/growth-report.js';
import { renderGrowth } from '../report/growth-table.js';
import { describeMachine } from '../report/machine.js';
import { ourVersion } from '../report/our-version.js';
import { median } from '../report/statistics.js';
import type { ServerCommand } from '../subjects/server-process.js';
import type { CrowdKind } from './crowd.js';
import { CROWDS, FIGURES, type Point, takePoint } from './curves.js';
import {
  BUSY_CONNECTIONS,
  BUSY_PROCESSES,
  compileChatter,
  type SteadyFigures,
  takeSteady,
} from './steady.js';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    'without-codex': { type: 'boolean', default: false },
    /** `curves` or `busy`: the other part is left out. */
    only: { type: 'string' },
    json: { type: 'string' },
    svg: { type: 'string' },
    /** Draws and prints a run that was written with --json, and measures nothing. */
    from: { type: 'string' },
  },
});

const KINDS: readonly CrowdKind[] = ['processes', 'connections'];
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const report =
  options.from === undefined ? await run() : (JSON.parse(readFileSync(options.from, 'utf8')) as GrowthReport);
console.log(renderGrowth(report));
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
if (options.svg !== undefined) writeFileSync(options.svg, renderCurves(report));

async function run(): Promise<GrowthReport> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-growth-'));
  const before = loadavg()[0] ?? 0;
  const servers = serverCommands({ withCodex: !options['without-codex'], say });
  try {
    const rounds = Number(options.rounds);
    const curves = options.only === 'busy' ? [] : await takeCurves(servers.list, rounds);
    const chatter = options.only === 'curves' ? undefined : compileChatter(folder);
    if (chatter === undefined && options.only !== 'curves')
      say('No C compiler: the busy server is left out.');
    return {
      date: new Date().toISOString(),
      machine: describeMachine(),
      version: ourVersion(),
      rounds,
      load: { before, after: loadavg()[0] ?? 0 },
      columns: servers.list.map(({ name }) => name),
      curves,
      steady: {
        connections: BUSY_CONNECTIONS,
        processesEach: BUSY_PROCESSES,
        figures: chatter === undefined ? {} : await takeSteadies(servers.list, chatter),
      },
    };
  } finally {
    servers.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function takeCurves(
  servers: readonly ServerCommand[],
  rounds: number,
): Promise<GrowthReport['curves']> {
  const taken = new Map<string, number[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const kind of KINDS) {
      for (const count of CROWDS) {
        for (const server of servers) {
          say(`round ${round} of ${rounds}: ${server.name}, ${count} ${kind}`);
          for (const [name, value] of Object.entries((await pointOrNone(server, kind, count)).figures)) {
            const key = JSON.stringify([kind, name, count, server.name]);
            taken.set(key, [...(taken.get(key) ?? []), value]);
          }
        }
      }
    }
  }
  const figureAt = (...key: unknown[]): number | null => {
    const values = taken.get(JSON.stringify(key));
    return values === undefined ? null : median(values);
  };
  return KINDS.flatMap((over) =>
    Object.entries(FIGURES).map(([name, unit]) => ({
      over,
      name,
      unit,
      counts: CROWDS,
      values: Object.fromEntries(
        servers.map((server) => [
          server.name,
          CROWDS.map((count) => figureAt(over, name, count, server.name)),
        ]),
      ),
    })),
  );
}

/** A server that refuses so many has no point there. */
async function pointOrNone(server: ServerCommand, kind: CrowdKind, count: number): Promise<Point> {
  try {
    return await takePoint(server, kind, count);
  } catch (error) {
    say(`${server.name}, ${count} ${kind}: ${error instanceof Error ? error.message : String(error)}`);
    return { count, figures: {} };
  }
}

async function takeSteadies(
  servers: readonly ServerCommand[],
  chatter: string,
): Promise<Record<string, SteadyFigures>> {
  const figures: Record<string, SteadyFigures> = {};
  for (const server of servers) {
    say(`busy server: ${server.name}`);
    try {
      figures[server.name] = await takeSteady(server, chatter);
    } catch (error) {
      say(`${server.name}, busy: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return figures;
}
