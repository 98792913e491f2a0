// Runs the command of a trial as its sandbox says and compares what it could do with what it should.

import { spawnPrepared } from '../run/spawn-prepared.js';
import { runSupervised } from '../run-supervised.js';
import type { PreparedSandbox } from '../sandbox-request.js';
import type { PolicyTrial } from './policy-trials.js';

const patienceMs = 15_000;

/** Undefined when the command could do exactly what the policy says; otherwise what went wrong. */
export async function runTrial(prepared: PreparedSandbox, trial: PolicyTrial): Promise<string | undefined> {
  let output: string;
  try {
    output = await (prepared.restrict === undefined ? runWithNode(prepared) : runWithLauncher(prepared));
  } finally {
    await prepared.finish().cleanup;
  }
  const outcome = parse(output);
  if (outcome === undefined) return `the sandbox did not run a command: ${output.trim().slice(0, 300)}`;
  const wrong = Object.entries(trial.expected).filter(([step, wanted]) => outcome[step] !== wanted);
  if (wrong.length === 0) return undefined;
  return wrong
    .map(([step, wanted]) => `a command could ${wanted === 'done' ? 'not ' : ''}${step}`)
    .join('; ');
}

function parse(output: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function runWithNode(prepared: PreparedSandbox): Promise<string> {
  return new Promise((resolve) => {
    const child = spawnPrepared(prepared, { stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    let output = '';
    let errors = '';
    child.stdout?.on('data', (block: Buffer) => {
      output += block.toString();
    });
    child.stderr?.on('data', (block: Buffer) => {
      errors += block.toString();
    });
    const settle = (text: string): void => {
      clearTimeout(timer);
      resolve(text);
    };
    child.once('error', (error) => settle(error.message));
    child.once('close', (code) => settle(output === '' ? `${errors} (exit code ${code})` : output));
  });
}

/** Landlock and a filter of its own need the launcher. */
async function runWithLauncher({ argv, cwd, env, restrict, inheritFds }: PreparedSandbox): Promise<string> {
  const limits = restrict === undefined ? {} : { restrict };
  const { code, stdout } = await runSupervised({ argv, cwd, env, inheritFds, ...limits, patienceMs });
  return stdout === '' ? `exit code ${code}` : stdout;
}
