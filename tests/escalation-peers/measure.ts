/**
 * What interception adds to one exec, ours and that of the shell server 0.97.0 in turns: `/bin/true` many times in one shell, against
 * the same shell without interception. Milliseconds; least and median of the rounds.
 */
import { execFileSync } from 'node:child_process';
import { chooseShell, type ExecDecision, patchedBashPath, type ShellChoice } from '@codex/escalation';
import { Harness } from '../integration/escalation/native-harness.ts';
import { ShellServer, shellTool } from './shell-tool.ts';

const EXECS = Number(process.env['EXECS'] ?? 300);
const ROUNDS = Number(process.env['ROUNDS'] ?? 7);
/** The shell's own clock, so that starting it is not counted. */
const COMMAND = `b=\${EPOCHREALTIME/./}; for ((i = 0; i < ${EXECS}; i++)); do /bin/true; done; e=\${EPOCHREALTIME/./}; echo $((e - b))`;
const perExec = (output: string) => Number(output.trim().split('\n').at(-1)) / 1000 / EXECS;

const theirs = shellTool();
const patched: ShellChoice = await chooseShell({ bash: patchedBashPath() });
const preload: ShellChoice = await chooseShell({ environment: { HOME: '/nonexistent' } });
const harness = new Harness();
const inside = new ShellServer(theirs, 'prefix_rule(["nothing"])');
const outside = new ShellServer(theirs, 'prefix_rule(["true"])');
await inside.open();
await outside.open();

const plain = (bash: string) =>
  perExec(execFileSync(bash, ['--norc', '-c', COMMAND], { env: { PATH: '/usr/bin:/bin' } }).toString());
const ours = async (shell: ShellChoice, decision: ExecDecision | undefined) => {
  const names = new Set(decision === undefined ? ['nothing'] : ['true']);
  const run = {
    shell,
    command: COMMAND,
    asked: { names },
    decide: () => decision ?? ({ action: 'run' } as const),
  };
  return perExec((await harness.run(run)).output);
};
const escalate: ExecDecision = { action: 'escalate', environment: { PATH: '/usr/bin:/bin' } };

const VARIANTS: [string, () => Promise<number> | number][] = [
  ['plain system Bash', () => plain('/bin/bash')],
  ['plain patched Bash', () => plain(patched.bash)],
  ['plain Bash of 0.97.0', () => plain(theirs.bash)],
  ['inside, patched, no rule names it', () => ours(patched, undefined)],
  ['inside, patched, asked', () => ours(patched, { action: 'run' })],
  ['inside, preload, no rule names it', () => ours(preload, undefined)],
  ['inside, preload, asked', () => ours(preload, { action: 'run' })],
  ['inside, 0.97.0', async () => perExec((await inside.shell(COMMAND, '/tmp')).output)],
  ['escalated, patched', () => ours(patched, escalate)],
  ['escalated, preload', () => ours(preload, escalate)],
  ['escalated, 0.97.0', async () => perExec((await outside.shell(COMMAND, '/tmp')).output)],
];

const measured = new Map<string, number[]>(VARIANTS.map(([name]) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, measure] of VARIANTS) measured.get(name)?.push(await measure());
}
const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
for (const [name, values] of measured) {
  process.stdout.write(
    `${name.padEnd(36)} least ${Math.min(...values).toFixed(3)}  median ${median(values).toFixed(3)} ms\n`,
  );
}
inside.close();
outside.close();
await harness.close();
