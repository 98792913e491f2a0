// A server in this process, a client of it over an in-memory channel, and a directory of its own for every test.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileUri, RpcError } from '@codex/exec-protocol';
import { RpcPeer } from '@codex/exec-rpc';
import { ExecServer, type ExecServerOptions } from '@codex/exec-server-core';
import { onTestFinished } from 'vitest';

export interface Notification {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

export class FsClient {
  readonly notifications: Notification[] = [];
  readonly peer: RpcPeer;

  constructor(server: ExecServer) {
    this.peer = new RpcPeer(server.connectInMemory(), {
      onRequest: () => undefined,
      onNotification: (notification) => void this.notifications.push(notification as Notification),
    });
  }

  sessionId = '';

  async initialize(params: Record<string, unknown> = {}): Promise<this> {
    const { sessionId } = await this.call<{ sessionId: string }>('initialize', {
      clientName: 'fs-tests',
      ...params,
    });
    this.sessionId = sessionId;
    this.peer.notify('initialized', {});
    return this;
  }

  /** Sent at the call, in the order of the calls. */
  call<T = Record<string, unknown>>(method: string, params: Record<string, unknown>): Promise<T> {
    return this.peer.call(method, params) as Promise<T>;
  }

  /** The error of a request that must fail, as code and message. */
  async refusal(method: string, params: Record<string, unknown>): Promise<{ code: number; message: string }> {
    try {
      await this.call(method, params);
    } catch (error) {
      if (error instanceof RpcError) return { code: error.code, message: error.message };
      throw error;
    }
    throw new Error(`${method} was not refused`);
  }

  async read(path: string | URL): Promise<string> {
    const { dataBase64 } = await this.call<{ dataBase64: string }>('fs/readFile', { path: String(path) });
    return Buffer.from(dataBase64, 'base64').toString();
  }

  write(path: string, text: string, options: Record<string, unknown> = {}): Promise<unknown> {
    return this.call('fs/writeFile', { path, dataBase64: base64(text), ...options });
  }
}

export interface Fixture {
  readonly server: ExecServer;
  readonly client: FsClient;
  readonly directory: string;
  /** The path of an entry of the directory, and its URI. */
  at(name: string): string;
  uri(name: string): string;
  connect(): Promise<FsClient>;
}

/** `base` is where the directory is made. */
export async function setUp(options: ExecServerOptions = {}, base = tmpdir()): Promise<Fixture> {
  const directory = realpathSync(mkdtempSync(join(base, 'exec-fs-')));
  const server = new ExecServer(options);
  onTestFinished(async () => {
    await server.shutdown();
    rmSync(directory, { recursive: true, force: true });
  });
  const connect = () => new FsClient(server).initialize();
  const at = (name: string) => join(directory, name);
  return { server, directory, client: await connect(), at, uri: (name) => pathToFileUri(at(name)), connect };
}

export const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64');

export const makeFifo = (path: string): void => void execFileSync('mkfifo', [path]);

/** Waits for something that comes on its own; fails with what was expected when it does not. */
export async function eventually<T>(what: string, probe: () => T | undefined | false): Promise<T> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    const value = probe();
    if (value !== undefined && value !== false) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`did not happen: ${what}`);
}
