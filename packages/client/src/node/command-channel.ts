// A server that is started for one client and serves on its stdin and stdout. It ends with the connection: its input
// closes, and when it does not go by itself it is killed.

import { spawn } from 'node:child_process';
import type { Channel } from '@codex/exec-rpc';
import { createStdioChannel } from '@codex/exec-rpc/stdio';
import { ExecServerError } from '../exec-server-error.js';
import type { ServerCommand } from '../platform.js';

const EXIT_GRACE_MS = 2_000;

export async function openCommand({ argv, cwd, env }: ServerCommand): Promise<Channel> {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => {
      const message = `cannot start ${program}: ${cause.message}`;
      reject(
        new ExecServerError('transport.connect', message, {
          details: { target: program, attempts: 1 },
          cause,
        }),
      );
    });
  });
  child.on('error', () => undefined);
  child.stdin.once('close', () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_GRACE_MS);
    timer.unref();
    child.once('exit', () => clearTimeout(timer));
  });
  return createStdioChannel({
    input: child.stdout,
    output: child.stdin,
    label: `exec-server stdio ${program}`,
  });
}
