// Runs the command of a trial as its sandbox says and compares what it could do with what it should.
import { createLauncher } from '@codex/launcher';
import { spawnPrepared } from '../run/spawn-prepared.js';
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
  const launcher = createLauncher({ keepSpare: false });
  try {
    const launched = await launcher.launch({
      argv,
      cwd,
      env,
      inheritFds,
      io: { type: 'pipe', stdin: 'closed' },
      ...(restrict === undefined ? {} : { restrict }),
    });
    const timer = setTimeout(() => launched.killTree(), patienceMs);
    let output = '';
    const ends = launched.outputs.map(
      (stream) =>
        new Promise<void>((resolve) =>
          stream.start((block) => {
            if (stream.stream === 'stdout') output += block.toString();
          }, resolve),
        ),
    );
    const { code } = await launched.exited;
    clearTimeout(timer);
    launched.killTree();
    await Promise.all([...ends, launched.treeGone]);
    return output === '' ? `exit code ${code}` : output;
  } finally {
    launcher.close();
  }
}
