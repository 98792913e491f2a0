// `npm run bench:payloads`: our client at both ends, payloads as raw bytes and as base64 in text, beside OpenSSH, `ws` and
// Node alone, in interleaved rounds. For each job the speed, and the processor time of both ends per MiB. It asserts nothing.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ourVersion } from '../report/our-version.js';
import { buildReport } from '../report/report.js';
import { renderTable } from '../report/table.js';
import type { Scenario } from '../scenario.js';
import { isSshInstalled, sshVersion } from '../subjects/ssh-subject.js';
import { layOut } from './material.js';
import { nodeWay } from './node-way.js';
import { ourWay } from './our-way.js';
import { processorMs } from './processor-time.js';
import { sshWay } from './ssh-way.js';
import type { Job, OpenWay, Way } from './way.js';
import { wsWay } from './ws-way.js';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '4' },
    only: { type: 'string' },
    json: { type: 'string' },
    /** The server: a built codex.js. */
    program: { type: 'string', default: '' },
    /** The folder of the benchmark: this file is in a bundle elsewhere. */
    bench: { type: 'string', default: '' },
  },
});

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const COMMAND = [process.execPath, options.program, 'exec-server', '--listen', 'ws://127.0.0.1:0'];

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'codex-exec-server-tests');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'bench-payloads-'));
layOut(folder);

const JOBS: readonly Job[] = [
  { name: 'bulk output', mebibytes: 64, samplesPerRound: 4 },
  { name: 'long output', mebibytes: 512, samplesPerRound: 2 },
  { name: 'bulk input', mebibytes: 64, samplesPerRound: 2 },
  { name: 'read a large file', mebibytes: 64, samplesPerRound: 4 },
  { name: 'write a large file', mebibytes: 64, samplesPerRound: 4 },
  { name: 'upload a large file', mebibytes: 64, samplesPerRound: 3 },
  { name: 'download a large file', mebibytes: 64, samplesPerRound: 3 },
  { name: 'upload 2,000 files', samplesPerRound: 3 },
  { name: 'download 2,000 files', samplesPerRound: 3 },
];

const ways: Way[] = [ourWay('binary', true, COMMAND), ourWay('text', false, COMMAND)];
if (isSshInstalled(say)) ways.push(sshWay(sshVersion()));
ways.push(wsWay('ws, binary', true, options.bench), wsWay('ws, text', false, options.bench), nodeWay);

interface Taken {
  readonly job: Job;
  readonly speed: Map<string, number[]>;
  readonly processor: Map<string, number[]>;
}

/** Of both ends: this process is one of them. */
function spentMs(way: OpenWay): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + processorMs(way.processIds());
}

async function takeSample(
  way: OpenWay,
  name: string,
): Promise<{ ms: number; processorMs: number } | undefined> {
  const job = way.jobs[name];
  if (job === undefined) return undefined;
  const before = spentMs(way);
  const begin = performance.now();
  await job();
  const ms = performance.now() - begin;
  return { ms, processorMs: spentMs(way) - before };
}

async function takeRound(way: Way, taken: readonly Taken[]): Promise<void> {
  const open = await way.open(folder);
  try {
    for (const { job, speed, processor } of taken) {
      for (let count = -1; count < job.samplesPerRound; count += 1) {
        const sample = await takeSample(open, job.name);
        // The first one warms up.
        if (sample === undefined || count < 0) continue;
        const { mebibytes } = job;
        add(speed, way.name, mebibytes === undefined ? sample.ms : (mebibytes * 1048.576) / sample.ms);
        if (mebibytes !== undefined) add(processor, way.name, sample.processorMs / mebibytes);
      }
    }
  } finally {
    await open.close();
  }
}

function add(samples: Map<string, number[]>, column: string, value: number): void {
  samples.set(column, [...(samples.get(column) ?? []), value]);
}

function scenario(name: string, unit: Scenario['unit']): Scenario {
  return { name, unit, samplesPerRound: 1, sample: async () => Number.NaN };
}

try {
  const before = loadavg()[0] ?? 0;
  const rounds = Number(options.rounds);
  const only = options.only?.split(',');
  const jobs = JOBS.filter(({ name }) => only?.some((part) => name.includes(part)) ?? true);
  const taken: Taken[] = jobs.map((job) => ({ job, speed: new Map(), processor: new Map() }));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % ways.length;
    for (const way of [...ways.slice(first), ...ways.slice(0, first)]) {
      say(`round ${round + 1} of ${rounds}: ${way.name}`);
      await takeRound(way, taken);
    }
  }
  const measurements = taken.flatMap(({ job, speed, processor }) => [
    { scenario: scenario(job.name, job.mebibytes === undefined ? 'ms' : 'MB/s'), samples: speed },
    ...(processor.size === 0
      ? []
      : [{ scenario: scenario(`${job.name}, processor time per MiB`, 'ms'), samples: processor }]),
  ]);
  const load = { before, after: loadavg()[0] ?? 0 };
  const columns = ways.map(({ name }) => name);
  const report = buildReport(measurements, { columns, peer: null, version: ourVersion(), rounds, load });
  console.log(renderTable(report));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
