// Starts `server-program.ts` as a process of its own, and ends it with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ExecServerOptions } from '@codex/exec-server-core';
import { onTestFinished } from 'vitest';
import { RawClient } from './raw-client.js';

const PROGRAM = fileURLToPath(new URL('./server-program.ts', import.meta.url));

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  client(params?: Record<string, unknown>): Promise<RawClient>;
  /** Makes the server collect garbage, so that its memory can be compared. */
  collectGarbage(): Promise<void>;
}

export async function spawnServer(options: ExecServerOptions = {}): Promise<ServerProcess> {
  const flags = ['--conditions=@codex/source', '--expose-gc', '--import', 'tsx'];
  const child = spawn(process.execPath, [...flags, PROGRAM, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  return {
    child,
    pid: child.pid ?? 0,
    async client(params) {
      const client = await RawClient.connect(url);
      onTestFinished(() => client.cut());
      await client.initialize(params);
      return client;
    },
    async collectGarbage() {
      child.kill('SIGUSR2');
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
  };
}
