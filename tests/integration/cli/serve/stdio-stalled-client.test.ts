// A server on stdio whose client has stopped reading: it must end all the same when it is told to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { APP } from '../support/codex-command.js';

/** The rest of the output has two seconds; a loaded machine needs some more. */
const MOST_MS = 8000;

async function startStalled() {
  const args = [APP, 'exec-server', '--listen', 'stdio'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  send({ id: 1, method: 'initialize', params: { clientName: 't' } });
  send({ method: 'initialized', params: {} });
  const process_ = { processId: 'p', argv: ['/usr/bin/yes'], cwd: '/', env: {}, tty: false };
  send({ id: 2, method: 'process/start', params: process_ });
  let received = 0;
  while (received < 100_000) received += ((await once(child.stdout, 'data')) as [Buffer])[0].length;
  child.stdout.pause();
  await new Promise((resolve) => setTimeout(resolve, 500)); // the pipe fills up
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  return { child, exited };
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | 'still running'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'still running'>((resolve) => {
    timer = setTimeout(() => resolve('still running'), milliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

it('ends at SIGTERM', async () => {
  const { child, exited } = await startStalled();
  child.kill('SIGTERM');
  expect(await within(MOST_MS, exited)).toEqual([0, null]);
});

it('ends at the end of its input', async () => {
  const { child, exited } = await startStalled();
  child.stdin.end();
  expect(await within(MOST_MS, exited)).toEqual([0, null]);
});
