// Serves itself once after a build, so that the first real start finds the program compiled (decision 0052).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** The server loads the rest of its code half a second after its start. */
const WHOLE_AFTER_MS = 800;
const INITIALIZE = '{"id":1,"method":"initialize","params":{"clientName":"build"}}\n';

/** Leaves no cache where the program cannot be run; it then starts as it would without one. */
export async function warmCodeCache(executable: string): Promise<void> {
  const start = (...args: string[]): ChildProcess => {
    // V8 takes the cache only under the flags that it was made with.
    const { NODE_OPTIONS: _, ...env } = process.env;
    return spawn(process.execPath, [executable, ...args], { stdio: ['pipe', 'pipe', 'ignore'], env });
  };
  const server = start('--listen', 'ws://127.0.0.1:0', '--no-config', '--quiet');
  const ended = once(server, 'exit');
  const address = await Promise.race([firstLine(server), ended.then(() => undefined)]);
  if (address === undefined) return;
  const run = ['run', '--url', address];
  await once(start(...run, '--', 'true'), 'exit');
  await once(start(...run, '--sandbox', 'workspace-write', '--', 'true'), 'exit');
  await delay(WHOLE_AFTER_MS);
  server.kill('SIGTERM');
  await ended;
  const session = start('--listen', 'stdio', '--no-config');
  session.stdin?.end(INITIALIZE);
  await once(session, 'exit');
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve) => stdout?.once('data', (text: Buffer) => resolve(String(text).trim())));
}
