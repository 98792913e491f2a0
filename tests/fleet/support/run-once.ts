// The built program for a command that ends by itself.

import { spawn } from 'node:child_process';
import { PROGRAM } from './programs.js';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runOnce(
  args: readonly string[],
  { cwd = process.cwd(), endAfterMs = 30_000 } = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const timer = setTimeout(() => child.kill('SIGTERM'), endAfterMs);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, ...output };
}
