// The servers that every test of the client runs on: ours in the same process, ours behind a websocket, and, when
// CODEX_BINARY names it, the real one.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectOptions, type ConnectTarget, ExecServerClient } from '@codex/exec-client';
import { WebSocketListener } from '@codex/exec-listener';
import { ExecServer } from '@codex/exec-server-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';

export interface Target {
  /** Where to connect; a new channel each time, so that reconnecting works. */
  readonly address: ConnectTarget;
  /** Only servers that listen have one. */
  readonly url: string | undefined;
  stop(): Promise<void>;
}

export type TargetName = 'in-memory' | 'websocket' | 'real codex';

export const isRealCodexAsked = process.env['CODEX_BINARY'] !== undefined;

const STARTERS: Record<TargetName, () => Promise<Target>> = {
  'in-memory': async () => {
    const server = new ExecServer();
    return {
      address: { channel: () => server.connectInMemory() },
      url: undefined,
      stop: () => server.shutdown(),
    };
  },
  websocket: async () => {
    const server = new ExecServer();
    const listener = await WebSocketListener.listen({
      host: '127.0.0.1',
      port: 0,
      onChannel: (channel, { identity }) => void server.accept(channel, { identity }),
    });
    const url = listener.url;
    return {
      address: url,
      url,
      stop: async () => {
        await server.shutdown();
        await listener.close();
      },
    };
  },
  'real codex': async () => {
    const home = mkdtempSync(join(homedir(), '.exec-client-tests-'));
    const child = spawn(process.env['CODEX_BINARY'] ?? '', ['exec-server', '--listen', 'ws://127.0.0.1:0'], {
      env: { ...process.env, CODEX_HOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const url = await firstLine(child);
    return {
      address: url,
      url,
      stop: async () => {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
        rmSync(home, { recursive: true, force: true });
      },
    };
  },
};

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    const line = /^(ws:\S+)\n/.exec(text)?.[1];
    if (line !== undefined) {
      child.stdout?.resume();
      return line;
    }
  }
  throw new Error(`the server ended without an address: ${text}`);
}

export function targetNames(): TargetName[] {
  const names: TargetName[] = ['in-memory', 'websocket'];
  return isRealCodexAsked ? [...names, 'real codex'] : names;
}

export interface Suite {
  readonly name: TargetName;
  target(): Target;
  /** A client that is closed after the test. */
  connect(options?: ConnectOptions): Promise<ExecServerClient>;
  /** An empty directory that is removed after the test. */
  directory(): string;
}

/** Describes a suite once per target. */
export function describeOnEveryTarget(title: string, define: (suite: Suite) => void): void {
  describe.each(targetNames())(`${title} on %s`, (name) => {
    let target: Target | undefined;
    const clients: ExecServerClient[] = [];
    const directories: string[] = [];
    beforeAll(async () => {
      target = await STARTERS[name]();
    });
    afterEach(async () => {
      await Promise.all(clients.splice(0).map((client) => client.close()));
      for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true });
    });
    afterAll(async () => target?.stop());
    const running = (): Target => {
      if (target === undefined) throw new Error('the target is not started');
      return target;
    };
    define({
      name,
      target: running,
      connect: async (options) => {
        const client = await ExecServerClient.connect(running().address, options);
        clients.push(client);
        return client;
      },
      directory: () => {
        const path = mkdtempSync(join(tmpdir(), 'exec-client-'));
        directories.push(path);
        return path;
      },
    });
  });
}
