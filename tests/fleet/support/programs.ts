// The built program as machines and gateways of a fleet: real processes that can be killed and frozen.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { until } from './until.js';

export const PROGRAM: string = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));

export interface Program {
  readonly pid: number;
  /** The first line that it printed: where it is. */
  readonly line: string;
  readonly exited: Promise<number | null>;
  stderr(): string;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export function startProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd?: string,
): Promise<Program> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is not built: run \`npm run build\` first`);
  return startCommand(process.execPath, [PROGRAM, ...args], { env, ...(cwd === undefined ? {} : { cwd }) });
}

interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** What stderr says when it is up, for a program that prints no line. */
  readonly sign?: RegExp;
}

export async function startCommand(
  file: string,
  args: readonly string[],
  { env = {}, cwd, sign }: CommandOptions = {},
): Promise<Program> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-8000);
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const line = sign === undefined ? await firstLine(child, () => stderr) : '';
  if (sign !== undefined) await until(() => sign.test(stderr));
  const end = async (name: NodeJS.Signals): Promise<void> => {
    child.kill('SIGCONT');
    child.kill(name);
    await exited;
  };
  return {
    pid: child.pid ?? 0,
    line,
    exited,
    stderr: () => stderr,
    signal: (name) => void child.kill(name),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGKILL'),
  };
}

export function startExecutor(
  broker: string,
  name: string,
  more: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const args = ['--fleet', broker, '--environment', 'test', '--name', name, '--log-level', 'info', ...more];
  return startProgram(args, env);
}

export function startGateway(broker: string, more: readonly string[] = []): Promise<Program> {
  return startProgram([
    'gateway',
    '--fleet',
    broker,
    '--environment',
    'test',
    '--listen',
    'ws://127.0.0.1:0',
    ...more,
  ]);
}

function firstLine(child: ChildProcess, stderr: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('close', () => reject(new Error(`the program ended before it printed a line: ${stderr()}`)));
  });
}
