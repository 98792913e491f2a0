// Looks after the mounts of a sandbox that Node has started by itself, with a program of the launcher beside it: as soon as one of them is gone
// the sandbox is ended. Where that program is not there, nothing is looked after.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { locateLauncherProgram } from '@codex/launcher';
import type { PreparedSandbox } from '../sandbox-request.js';

/** Whether `keepMounts` can do it; the wrapper then gets a pipe for the descriptor that is `settled`. */
export function canKeepMounts({ keptMounts }: PreparedSandbox): boolean {
  return keptMounts.length > 0 && locateLauncherProgram() !== undefined;
}

/** Resolves when the sandbox has ended: with the mount that was gone, if one was. Never rejects. */
export async function keepMounts(
  wrapper: ChildProcess,
  settled: Duplex,
  keptMounts: readonly string[],
): Promise<string | undefined> {
  settled.write(Buffer.alloc(1));
  settled.resume();
  // The wrapper has closed its end, or has ended.
  await new Promise<void>((resolve) => settled.once('error', resolve).once('close', resolve));
  const program = locateLauncherProgram();
  const hasEnded = wrapper.exitCode !== null || wrapper.signalCode !== null;
  if (hasEnded || wrapper.pid === undefined || program === undefined) return undefined;
  const keeper = spawn(program, ['--keep', String(wrapper.pid)], {
    argv0: 'codex-launcher',
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {},
    cwd: '/',
  });
  let lost = '';
  keeper.stdout.setEncoding('utf8').on('data', (text: string) => {
    lost += text;
  });
  keeper.stdin.on('error', () => undefined).end(keptMounts.map((path) => `${path}\0`).join(''));
  await new Promise<void>((resolve) => keeper.once('error', () => resolve()).once('close', () => resolve()));
  return lost === '' ? undefined : lost;
}
