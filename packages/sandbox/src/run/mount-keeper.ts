// Looks after the mounts of a sandbox that Node has started by itself, with a program of the launcher beside it: as soon as one of them is gone
// the sandbox is ended. Where that program is not there, nothing is looked after.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { locateLauncherProgram } from '@codex/launcher';
import type { PreparedSandbox } from '../sandbox-request.js';

/** Whether `keepMounts` can do it; the wrapper then gets a pipe for the descriptor that is `settled`. */
export function canKeepMounts({ keptMounts }: PreparedSandbox): boolean {
  return keptMounts.length > 0 && locateLauncherProgram() !== undefined;
}

interface Keeping {
  readonly keptMounts: readonly string[];
  /** Default: the launcher's. */
  readonly program?: string | undefined;
}

/** A user who has no process left mostly has one soon. */
const AGAIN_MS = 50;
const PATIENCE_MS = 1000;

/** Resolves when the sandbox has ended: with the mount that was gone, if one was. Never rejects. */
export async function keepMounts(
  wrapper: ChildProcess,
  settled: Duplex,
  { keptMounts, program = locateLauncherProgram() }: Keeping,
): Promise<string | undefined> {
  settled.write(Buffer.alloc(1));
  settled.resume();
  // The wrapper has closed its end, or has ended.
  await new Promise<void>((resolve) => settled.once('error', resolve).once('close', resolve));
  let failingSince: number | undefined;
  while (wrapper.exitCode === null && wrapper.signalCode === null) {
    if (wrapper.pid === undefined || program === undefined) return undefined;
    const begun = performance.now();
    const { lost, failure } = await keep(program, wrapper.pid, keptMounts);
    if (failure === undefined) return lost;
    // One that worked until now is replaced at once; what was lost meanwhile is missing at its first look.
    if (performance.now() - begun > PATIENCE_MS) failingSince = undefined;
    failingSince ??= begun;
    if (performance.now() - failingSince > PATIENCE_MS) return giveUp(wrapper, failure);
    await sleep(AGAIN_MS);
  }
  return undefined;
}

/** A command could use up the processes of its user to be left alone. */
function giveUp(wrapper: ChildProcess, failure: string): undefined {
  wrapper.kill('SIGKILL');
  process.emitWarning(
    `a sandboxed command was ended, because what covers its files could not be looked after: ${failure}`,
  );
}

interface KeeperEnd {
  /** The mount that was gone. */
  readonly lost?: string | undefined;
  /** It could not look, or was ended: the sandbox goes on. */
  readonly failure?: string | undefined;
}

async function keep(program: string, wrapper: number, keptMounts: readonly string[]): Promise<KeeperEnd> {
  // Short of descriptors Node makes no streams.
  const keeper: ChildProcess = spawn(program, ['--keep', String(wrapper)], {
    argv0: 'codex-launcher',
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    cwd: '/',
  });
  let lost = '';
  keeper.stdout?.setEncoding('utf8').on('data', (text: string) => {
    lost += text;
  });
  keeper.stdin?.on('error', () => undefined).end(keptMounts.map((path) => `${path}\0`).join(''));
  const failure = await new Promise<string | undefined>((resolve) => {
    keeper.once('error', ({ message }) => resolve(message));
    keeper.once('close', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? code}`));
  });
  return lost === '' ? { failure } : { lost };
}
