// What the tool `shell` costs, ours and the server 0.97.0 of OpenAI in turns, both as their clients use them. What
// interception adds to an exec is measured by the shell's own clock, against the same Bash without it. Ours runs in its
// sandbox; theirs runs in none, because it needs an old Codex for one. `--build NAME=PROGRAM` adds another build of ours. It
// asserts nothing: it prints medians and whether the goals are met.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { patchedBashPath } from '@codex/escalation';
import { ShellServer, type ShellTool, shellTool } from './shell-tool.ts';

const EXECS = Number(process.env['EXECS'] ?? 200);
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
const CALLS = 10;
const LOOP = `b=\${EPOCHREALTIME/./}; for ((i = 0; i < ${EXECS}; i++)); do /bin/true; done; e=\${EPOCHREALTIME/./}; echo $((e - b))`;
const AT_ONCE = 'for i in {1..200}; do { /bin/true && echo ok; } & done; wait';
const perExec = (output: string) => Number(output.trim().split('\n').at(-1)) / 1000 / EXECS;

interface Column {
  readonly name: string;
  readonly tool: ShellTool;
  readonly sandboxPolicy: object;
}

const program = fileURLToPath(new URL('../../apps/codex/dist/codex.js', import.meta.url));
const wrapperOf = (build: string): string => {
  const paths = execFileSync(process.execPath, [build, 'exec-mcp-server', '--print-paths']).toString();
  return (JSON.parse(paths) as { wrapper: string }).wrapper;
};
const ours = (name: string, build = program): Column[] =>
  Object.entries({ preload: '/bin/bash', patched: patchedBashPath() }).map(([shell, bash]) => ({
    name: `${name}, ${shell}`,
    tool: {
      server: process.execPath,
      serverArgs: [build, 'exec-mcp-server'],
      wrapper: wrapperOf(build),
      bash,
    },
    sandboxPolicy: { type: 'read-only' },
  }));
const { values: options } = parseArgs({
  options: { build: { type: 'string', multiple: true, default: [] } },
});
const THEIRS = '0.97.0';
const COLUMNS: readonly Column[] = [
  ...ours('ours'),
  ...options.build.flatMap((build) => ours(...(build.split('=', 2) as [string, string]))),
  { name: THEIRS, tool: shellTool(), sandboxPolicy: { type: 'danger-full-access' } },
];

type Row = (column: Column) => Promise<number>;

async function served(column: Column, rules: string, use: (server: ShellServer) => Promise<number>) {
  const server = new ShellServer(column.tool, rules);
  try {
    await server.open(column.sandboxPolicy);
    await server.shell(':', '/tmp');
    return await use(server);
  } finally {
    server.close();
  }
}

const added =
  (rules: string): Row =>
  async (column) => {
    const env = { PATH: '/usr/bin:/bin' };
    const plain = perExec(execFileSync(column.tool.bash, ['--norc', '-c', LOOP], { env }).toString());
    const own = await served(column, rules, async (server) =>
      perExec((await server.shell(LOOP, '/tmp')).output),
    );
    return own - plain;
  };

const ROWS: readonly {
  readonly name: string;
  readonly take: Row;
  readonly goal: (own: number, theirs: number) => boolean;
  readonly goalText: string;
}[] = [
  {
    name: 'an exec inside adds, ms',
    take: added('prefix_rule(["nothing"])'),
    goal: (own, theirs) => own <= theirs,
    goalText: `≤ ${THEIRS}`,
  },
  {
    name: 'an exec outside adds, ms',
    take: added('prefix_rule(["true"])'),
    goal: (own, theirs) => own <= theirs,
    goalText: `≤ ${THEIRS}`,
  },
  {
    name: 'a call of `:`, ms',
    take: (column) =>
      served(column, '', async (server) => {
        const begun = performance.now();
        for (let count = 0; count < CALLS; count += 1) await server.shell(':', '/tmp');
        return (performance.now() - begun) / CALLS;
      }),
    goal: (own) => own <= 25,
    goalText: '≤ 25',
  },
  {
    name: 'start to initialize, ms',
    take: async ({ tool }) => {
      const begun = performance.now();
      const server = new ShellServer(tool, '');
      await server.initialize();
      const passed = performance.now() - begun;
      server.close();
      return passed;
    },
    goal: (own) => own <= 600,
    goalText: '≤ 600',
  },
  {
    name: 'failures of 200 execs at once',
    take: (column) =>
      served(column, 'prefix_rule(["true"])', async (server) => {
        const { output } = await server.shell(AT_ONCE, '/tmp');
        return 200 - output.split('\n').filter((line) => line === 'ok').length;
      }),
    goal: (own) => own === 0,
    goalText: '0',
  },
];

const samples = new Map<string, number[]>();
const key = (row: string, column: string) => `${row}|${column}`;
for (let round = 1; round <= ROUNDS; round += 1) {
  process.stderr.write(`shell tool, round ${round} of ${ROUNDS}\n`);
  // Another column begins each time.
  const first = round % COLUMNS.length;
  for (const { name, take } of ROWS) {
    for (const column of [...COLUMNS.slice(first), ...COLUMNS.slice(0, first)]) {
      const taken = samples.get(key(name, column.name)) ?? [];
      taken.push(await take(column));
      samples.set(key(name, column.name), taken);
    }
  }
}
const median = (row: string, column: string) => {
  const values = [...(samples.get(key(row, column)) ?? [])].sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
};
const line = (cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
line([`tool \`shell\`, medians of ${ROUNDS} rounds`, ...COLUMNS.map(({ name }) => name), 'goal', 'met']);
line(['---', ...COLUMNS.map(() => '---:'), '---', '---']);
for (const { name, goal, goalText } of ROWS) {
  const figures = COLUMNS.map((column) => median(name, column.name));
  const theirs = median(name, THEIRS);
  const isMet = COLUMNS.flatMap((column, index) =>
    column.name === THEIRS ? [] : [goal(figures[index] ?? Number.NaN, theirs)],
  );
  line([
    name,
    ...figures.map((figure) => figure.toFixed(2)),
    goalText,
    isMet.map((met) => (met ? '✓' : '✗')).join(' '),
  ]);
}

/** `execpolicy check` as a user calls it: start, 2,000 rules with their examples, one answer. */
function checkOfManyRules(): number {
  const folder = mkdtempSync(join(tmpdir(), 'check-'));
  const file = join(folder, 'many.rules');
  const rule = (_: unknown, index: number) =>
    `prefix_rule(["tool${index}", "do"], "prompt", justification="number ${index}", match=["tool${index} do it"])\n`;
  writeFileSync(file, Array.from({ length: 2000 }, rule).join(''));
  const taken = Array.from({ length: ROUNDS }, () => {
    const begun = performance.now();
    execFileSync(process.execPath, [program, 'execpolicy', 'check', '-r', file, '--', 'tool1999', 'do']);
    return performance.now() - begun;
  }).sort((a, b) => a - b);
  rmSync(folder, { recursive: true });
  return taken[Math.floor(taken.length / 2)] ?? Number.NaN;
}
const check = checkOfManyRules();
process.stdout.write(
  `\n\`execpolicy check\` with 2,000 rules, ms: ${check.toFixed(0)} (goal ≤ 1000: ${check <= 1000 ? '✓' : '✗'})\n`,
);
