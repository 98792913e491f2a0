// Starts the built `codex` app as a program of its own and ends it with the test.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';

const APP = fileURLToPath(new URL('../../../../apps/codex/dist/codex.js', import.meta.url));

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export class ExecServerProgram implements AsyncDisposable {
  readonly child: ChildProcess;
  stdout = '';
  stderr = '';
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  constructor(args: readonly string[], { env = {}, cwd }: ProgramOptions = {}) {
    if (!existsSync(APP)) throw new Error('the app is not built: run `npm test`, or `npm run codex` once');
    this.child = spawn(process.execPath, [APP, ...args], { cwd, env: { ...process.env, ...env } });
    this.child.stdout?.on('data', (block) => {
      this.stdout += String(block);
    });
    this.child.stderr?.on('data', (block) => {
      this.stderr += String(block);
    });
    this.exited = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** The address it prints. */
  async url(): Promise<string> {
    while (!this.stdout.includes('\n')) {
      const ended = await Promise.race([once(this.child.stdout ?? this.child, 'data'), this.exited]);
      if ('code' in ended) throw new Error(`ended with ${ended.code}: ${this.stderr}`);
    }
    return this.stdout.trim();
  }

  async stderrIncludes(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await once(this.child.stderr ?? this.child, 'data');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}

export type UpgradeOutcome = { readonly status: number; readonly body: string } | WebSocket;

/** Opens a websocket, or tells how the upgrade was refused. */
export function openWebSocket(url: string, options: WebSocket.ClientOptions = {}): Promise<UpgradeOutcome> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, options);
    socket.once('open', () => resolve(socket));
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (block) => {
        body += String(block);
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
  });
}
