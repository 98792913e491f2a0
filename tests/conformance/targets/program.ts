// Starts a server program and owns it until its end. Its stderr is kept for the message when it does not come up.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { PLANTED_ENVIRONMENT } from './planted-environment.js';
import type { LaunchedProgram, ProgramExit, RunningServer } from './target.js';

const START_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 5_000;
const KEPT_STDERR = 4_000;

export interface ProgramSpec {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of the suite. */
  readonly env?: Readonly<Record<string, string>>;
  /** Run the command through the shell, as a person would type it. */
  readonly shell?: boolean;
}

export function launchProgram(spec: ProgramSpec): LaunchedProgram {
  const child = spawn(spec.command, [...spec.args], {
    stdio: 'pipe',
    env: { ...process.env, ...PLANTED_ENVIRONMENT, ...spec.env },
    shell: spec.shell ?? false,
    // A shell would outlive a signal meant for the server it started.
    detached: spec.shell ?? false,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  child.stdin.on('error', () => {});
  const exited = new Promise<ProgramExit>((resolve) => {
    child.once('error', (error) => {
      stderr += error.message;
      resolve({ code: null, signal: null });
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    exited,
    stderr: new Promise((resolve) => child.once('close', () => resolve(stderr))),
    firstLine: () => firstLine(child, () => stderr),
    stop: () => stopProgram({ child, exited, group: spec.shell ?? false }),
  };
}

/** Starts a program that prints its `ws://` address as the first line of stdout. */
export async function serveProgram(spec: ProgramSpec): Promise<RunningServer> {
  const program = launchProgram(spec);
  try {
    const line = await program.firstLine();
    if (!/^ws:\/\/\S+$/.test(line))
      throw new Error(`expected a ws:// address as the first line, got: ${line}`);
    program.child.stdout.resume();
    const hasEnded = () => program.child.exitCode !== null || program.child.signalCode !== null;
    return { url: line, hasEnded, stop: program.stop };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

function firstLine(child: ChildProcessWithoutNullStreams, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const fail = (why: string) => reject(new Error(`${why}; stderr: ${stderr()}`));
    const timer = setTimeout(() => fail(`no line within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS);
    const onData = (data: Buffer) => {
      text += data.toString('utf8');
      const end = text.indexOf('\n');
      if (end < 0) return;
      clearTimeout(timer);
      child.stdout.off('data', onData);
      resolve(text.slice(0, end));
    };
    child.stdout.on('data', onData);
    child.once('close', () => {
      clearTimeout(timer);
      fail('the program ended before it printed a line');
    });
  });
}

interface Stoppable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<ProgramExit>;
  readonly group: boolean;
}

async function stopProgram({ child, exited, group }: Stoppable): Promise<void> {
  if (child.pid === undefined) return;
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(group ? -(child.pid ?? 0) : (child.pid ?? 0), signal);
    } catch {
      // Already gone.
    }
  };
  if (child.exitCode === null && child.signalCode === null) send('SIGTERM');
  const timer = setTimeout(() => send('SIGKILL'), STOP_GRACE_MS);
  await exited;
  clearTimeout(timer);
  child.stdin.destroy();
  child.stdout.destroy();
  child.stderr.destroy();
}
