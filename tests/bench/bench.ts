// `npm run bench`: takes the same samples from our server, the real `codex exec-server`, OpenSSH and Node alone,
// interleaved in rounds, so that the noise of the machine meets all. It asserts nothing: it prints a table with ratios
// and goals, and writes the same as JSON and as a chart where asked.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, loadavg } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseSubjects } from './choose-subjects.js';
import { renderChart } from './report/chart.js';
import { ourVersion } from './report/our-version.js';
import { buildReport, type Measurement, type Report } from './report/report.js';
import { renderTable } from './report/table.js';
import type { Scenario } from './scenario.js';
import { allScenarios } from './scenarios/all-scenarios.js';
import { LARGE_FILE_BYTES } from './scenarios/files.js';
import type { Subject } from './subjects/subject.js';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    only: { type: 'string' },
    'without-codex': { type: 'boolean', default: false },
    /** Another build of ours as a column of its own: `--build before=/path/to/codex.js`. */
    build: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    svg: { type: 'string' },
    /** Draws and prints a run that was written with --json, and measures nothing. */
    from: { type: 'string' },
  },
});

const say = (line: string): void => void process.stderr.write(`${line}\n`);

const report =
  options.from === undefined ? await run() : (JSON.parse(readFileSync(options.from, 'utf8')) as Report);
console.log(renderTable(report));
if (options.json !== undefined) write(options.json, `${JSON.stringify(report, null, 2)}\n`);
if (options.svg !== undefined) write(options.svg, renderChart(report));

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

async function run(): Promise<Report> {
  const rounds = Number(options.rounds);
  const only = options.only?.split(',');
  const scenarios = allScenarios.filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
  const folder = makeFolder();
  const subjects = chooseSubjects({
    folder,
    withCodex: !options['without-codex'],
    builds: options.build,
    say,
  });
  const before = loadavg()[0] ?? 0;
  try {
    const measurements = await measure({ subjects: subjects.list, scenarios, rounds });
    const load = { before, after: loadavg()[0] ?? 0 };
    const columns = subjects.list.map(({ name }) => name);
    const { peer } = subjects;
    return buildReport(measurements, { columns, peer, version: ourVersion(), rounds, load });
  } finally {
    subjects.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Not below the temporary folder: there the real server's sandbox behaves differently. */
function makeFolder(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'codex-exec-server-tests');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'bench-'));
  writeFileSync(join(folder, 'small'), 'x'.repeat(1024));
  writeFileSync(join(folder, 'large'), Buffer.alloc(LARGE_FILE_BYTES, 'y'));
  return folder;
}

interface Plan {
  readonly subjects: readonly Subject[];
  readonly scenarios: readonly Scenario[];
  readonly rounds: number;
}

async function measure({ subjects, scenarios, rounds }: Plan): Promise<Measurement[]> {
  const results = scenarios.map((scenario) => ({ scenario, samples: new Map<string, number[]>() }));
  for (let round = 1; round <= rounds; round += 1) {
    // Another column begins each time: the first one meets a client whose code is not compiled yet.
    const first = (round - 1) % subjects.length;
    for (const subject of [...subjects.slice(first), ...subjects.slice(0, first)]) {
      say(`round ${round} of ${rounds}: ${subject.name}`);
      await takeRound(subject, results);
    }
  }
  return results;
}

async function takeRound(
  subject: Subject,
  results: readonly { scenario: Scenario; samples: Map<string, number[]> }[],
): Promise<void> {
  const open = await subject.open();
  try {
    for (const { scenario, samples } of results) {
      if (!subject.measures(scenario)) continue;
      const taken = samples.get(subject.name) ?? [];
      samples.set(subject.name, taken);
      try {
        taken.push(...(await open.take(scenario)));
      } catch (error) {
        taken.push(Number.NaN);
        say(`${subject.name}, ${scenario.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await open.close();
  }
}
