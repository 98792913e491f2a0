// `npm run bench`: takes the same samples from our server and from the real `codex exec-server`, interleaved in
// rounds, so that the noise of the machine meets both. Nothing here is asserted: it prints a table with ratios.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { REAL_CODEX_VERSION, realCodex } from '@codex/tests-real-codex';
import { BenchClient } from './bench-client.js';
import { type Measurement, renderTable, toJson } from './report.js';
import type { Scenario } from './scenario.js';
import { callScenarios } from './scenarios/calls.js';
import { fileScenarios, LARGE_FILE_BYTES } from './scenarios/files.js';
import { processScenarios } from './scenarios/processes.js';
import { type ServerCommand, ServerProcess } from './server-process.js';

const here = dirname(fileURLToPath(import.meta.url));
const OURS = join(here, '..', '..', 'apps', 'codex', 'dist', 'codex.js');

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    'without-codex': { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});

const servers: ServerCommand[] = [
  { name: 'ours', command: [process.execPath, OURS, 'exec-server', '--listen', 'ws://127.0.0.1:0'] },
];
const codex = options['without-codex'] ? undefined : realCodex((line) => console.error(line));
const codexHome = codex?.makeHome();
if (codex !== undefined && codexHome !== undefined) {
  servers.push({
    name: `codex ${REAL_CODEX_VERSION}`,
    command: [codex.binary, 'exec-server', '--listen', 'ws://127.0.0.1:0'],
    env: { CODEX_HOME: codexHome.path },
  });
}

const scenarios = [...callScenarios, ...processScenarios, ...fileScenarios].filter(
  ({ name }) => options.only === undefined || name.includes(options.only),
);
const names = servers.map(({ name }) => name);
const measurements = await measure();
codexHome?.remove();
console.log(renderTable(measurements, names));
if (options.json !== undefined) {
  mkdirSync(dirname(options.json), { recursive: true });
  writeFileSync(options.json, `${JSON.stringify(toJson(measurements, names), null, 2)}\n`);
}

async function measure(): Promise<Measurement[]> {
  const results = new Map(
    scenarios.map((scenario) => [scenario, new Map(names.map((name) => [name, [] as number[]]))]),
  );
  const folder = mkdtempSync(join(tmpdir(), 'exec-bench-'));
  writeFileSync(join(folder, 'small'), 'x'.repeat(1024));
  writeFileSync(join(folder, 'large'), Buffer.alloc(LARGE_FILE_BYTES, 'y'));
  try {
    for (let round = 1; round <= Number(options.rounds); round += 1) {
      for (const command of servers) {
        process.stderr.write(`round ${round}: ${command.name}\n`);
        await sampleAll(command, folder, results);
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return [...results].map(([scenario, samples]) => ({ scenario, samples }));
}

async function sampleAll(
  command: ServerCommand,
  folder: string,
  results: ReadonlyMap<Scenario, Map<string, number[]>>,
): Promise<void> {
  const server = await ServerProcess.start(command);
  try {
    for (const [scenario, samples] of results) {
      const client = await BenchClient.connect(server.url);
      for (let n = 0; n < scenario.samplesPerRound; n += 1) {
        samples.get(command.name)?.push(await scenario.sample({ client, server, folder }));
      }
      client.close();
    }
  } finally {
    await server.stop();
  }
}
