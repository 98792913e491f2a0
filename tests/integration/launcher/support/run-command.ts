// Starts a command, collects what it says, and finds what it left behind.
import { readdirSync, readFileSync } from 'node:fs';
import type { ExitStatus, LaunchedProcess, Launcher, LaunchSpec } from './launcher-under-test.js';

export const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';
export const closedPipe = { type: 'pipe', stdin: 'closed' } as const;
export const openPipe = { type: 'pipe', stdin: 'open' } as const;
export const pty = { type: 'pty', rows: 24, cols: 80 } as const;

export function specOf(argv: readonly string[], more: Partial<LaunchSpec> = {}): LaunchSpec {
  return { argv, cwd: '/', env: { PATH }, io: closedPipe, ...more };
}

export interface Collected {
  text(stream?: 'stdout' | 'stderr' | 'pty'): string;
  readonly ended: Promise<void>;
}

/** Starts reading every output. */
export function collect(launched: LaunchedProcess): Collected {
  const blocks: { stream: string; block: Buffer }[] = [];
  const ended = Promise.all(
    launched.outputs.map(
      (output) =>
        new Promise<void>((resolve) => {
          output.start((block) => blocks.push({ stream: output.stream, block }), resolve);
        }),
    ),
  ).then(() => {});
  const text = (stream?: string): string =>
    Buffer.concat(
      blocks.filter((entry) => stream === undefined || entry.stream === stream).map((entry) => entry.block),
    ).toString();
  return { text, ended };
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly pty: string;
  readonly status: ExitStatus;
}

export async function run(
  launcher: Launcher,
  argv: readonly string[],
  more: Partial<LaunchSpec> = {},
): Promise<Outcome> {
  const launched = await launcher.launch(specOf(argv, more));
  const collected = collect(launched);
  const status = await launched.exited;
  await collected.ended;
  await launched.treeGone;
  return {
    stdout: collected.text('stdout'),
    stderr: collected.text('stderr'),
    pty: collected.text('pty'),
    status,
  };
}

/** Pids of running processes whose command line holds `token`. */
export function processesWith(token: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const state = readFileSync(`/proc/${name}/stat`, 'latin1').replace(/^.*\) /s, '')[0];
        return state !== 'Z' && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(token);
      } catch {
        return false;
      }
    })
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

export async function until(condition: () => boolean, what: string, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

let counter = 0;
/** A sleep duration that no other process uses: it marks a process in the process table. */
export function uniqueSleep(): string {
  counter += 1;
  return `98${process.pid}.${String(counter).padStart(4, '0')}`;
}
