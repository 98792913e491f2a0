// Launches without native code, for macOS and for hosts where codex-launcher could not be built.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { checkLaunchSpec } from '../check-launch-spec.js';
import { errnoOf, LaunchError } from '../launch-error.js';
import type { LaunchSpec } from '../launch-spec.js';
import type { LaunchedProcess, Launcher } from '../launched-process.js';
import { ChildStreamOutput } from '../stream/child-stream-output.js';
import { PipeInput } from '../stream/pipe-input.js';
import { PtyInput } from '../stream/pty-input.js';
import { PtyOutput } from '../stream/pty-output.js';
import { fdsToCover, openPtyPair, type PtyPair } from './node-pty-pair.js';
import { PortableProcess } from './portable-process.js';
import { checkCwd, checkProgram } from './program-check.js';
import { PORTABLE_WEAKNESSES } from './weaknesses.js';

/** Opening the terminal as leader of a new session makes it the controlling one; exec then keeps nothing of the shell. */
const TRAMPOLINE = 'tty=$1; shift; exec "$@" <>"$tty" >&0 2>&0';
const WRITE_RETRY_MS = 4;

export class PortableLauncher implements Launcher {
  readonly kind = 'node';
  readonly weaknesses = PORTABLE_WEAKNESSES;

  async launch(spec: LaunchSpec): Promise<LaunchedProcess> {
    checkLaunchSpec(spec);
    refuseUnsupported(spec);
    checkCwd(spec.cwd);
    checkProgram(spec);
    return spec.io.type === 'pty' ? launchPty(spec, spec.io) : launchPipes(spec, spec.io.stdin);
  }

  close(): void {}
}

/** A restriction that cannot be applied must not be left out silently. */
function refuseUnsupported(spec: LaunchSpec): void {
  const unsupported = (stage: LaunchError['stage'], what: string): LaunchError =>
    new LaunchError({
      stage,
      errno: 'EOPNOTSUPP',
      message: `${what} needs codex-launcher, which is not here`,
    });
  if (Object.values(spec.restrict ?? {}).some((value) => value !== undefined && value !== false)) {
    throw unsupported('restrict', 'a restriction');
  }
  if ((spec.inheritFds ?? []).some((grant) => !('fd' in grant)))
    throw unsupported('io', 'a descriptor that the launcher makes');
  if (spec.io.type === 'pty' && spec.arg0 !== undefined) throw unsupported('pty', 'arg0 on a terminal');
}

async function launchPipes(spec: LaunchSpec, stdin: 'open' | 'closed'): Promise<LaunchedProcess> {
  const [program = '', ...args] = spec.argv;
  const child = await spawned(spec, () =>
    startChild(spec, [program, ...args], [stdin === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe']),
  );
  const input = child.stdin === null ? undefined : new PipeInput(child.stdin as Socket);
  const outputs = [
    ...(child.stdout ? [new ChildStreamOutput('stdout', child.stdout)] : []),
    ...(child.stderr ? [new ChildStreamOutput('stderr', child.stderr)] : []),
  ];
  return new PortableProcess({
    child,
    pid: child.pid ?? 0,
    input,
    outputs,
    resize: () => {},
    onGone: () => input?.discard(),
  });
}

async function launchPty(spec: LaunchSpec, size: { rows: number; cols: number }): Promise<LaunchedProcess> {
  const pair = openPtyPair(size.rows, size.cols);
  try {
    const command = ['/bin/sh', '-c', TRAMPOLINE, 'sh', pair.terminal, ...spec.argv];
    const child = await spawned(spec, () => startChild(spec, command, ['ignore', 'ignore', 'ignore']));
    child.once('exit', () => closeSync(pair.holderFd)); // from here on the terminal hangs up with its last user
    return ptyProcess(child, pair);
  } catch (error) {
    closeSync(pair.holderFd);
    pair.master.close();
    throw error;
  }
}

function ptyProcess(child: ChildProcess, pair: PtyPair): LaunchedProcess {
  const retryLater = (callback: () => void): void => {
    setTimeout(callback, WRITE_RETRY_MS);
  };
  return new PortableProcess({
    child,
    pid: child.pid ?? 0,
    input: new PtyInput(pair.master, retryLater),
    outputs: [new PtyOutput(pair.master)],
    resize: pair.resize,
    onGone: () => {},
  });
}

function startChild(
  spec: LaunchSpec,
  command: readonly string[],
  stdio: ('pipe' | 'ignore')[],
): ChildProcess {
  const [program = '', ...args] = command;
  const nothing = openSync('/dev/null', 'r+');
  try {
    const descriptors: (number | 'pipe' | 'ignore' | undefined)[] = [...stdio];
    for (const fd of fdsToCover()) descriptors[fd] = nothing;
    for (const grant of spec.inheritFds ?? []) if ('fd' in grant) descriptors[grant.as] = grant.fd;
    const filled = Array.from(descriptors, (entry) => entry ?? 'ignore') as StdioOptions;
    return spawn(program, args, {
      ...(spec.arg0 === undefined ? {} : { argv0: spec.arg0 }),
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio: filled,
      detached: true,
    });
  } finally {
    closeSync(nothing);
  }
}

/** Settles when the program runs or could not be started; a spawn may also throw at once (E2BIG, EAGAIN). */
async function spawned(spec: LaunchSpec, start: () => ChildProcess): Promise<ChildProcess> {
  try {
    const child = start();
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return child;
  } catch (cause) {
    const errno = errnoOf(cause);
    const stage = errno === 'EAGAIN' || errno === 'ENOMEM' ? 'fork' : 'exec';
    const message = `cannot execute ${JSON.stringify(spec.argv[0])}: ${errno}`;
    throw new LaunchError({ stage, errno, message, cause });
  }
}
