// Runs sandboxed commands as root and as an ordinary user: what a policy stops must not depend on who asks.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { RunSandboxedRequest, SandboxedResult, SandboxPolicy } from '@codex/sandbox';
import { programForAnyone } from '../../program-for-anyone.js';

const defaultRunner = fileURLToPath(new URL('./sandbox-runner.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
export const NOBODY = 65534;

export class SandboxFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export class SandboxUser {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: Reply) => void>();
  readonly #directories: string[] = [];
  readonly #uid: number;
  #lastId = 0;
  #rest = '';

  /** `runner` is the program that runs the commands; without one it is `runSandboxed`. */
  constructor(uid: number, runner = defaultRunner) {
    this.#uid = uid;
    const node = [process.execPath, programForAnyone(runner)];
    const argv =
      isRoot && uid !== 0
        ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--', ...node]
        : node;
    this.#child = spawn(argv[0] ?? '', argv.slice(1), {
      cwd: '/',
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.once('close', () => this.#failWaiting());
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Settles when commands start without delay. */
  async ready(): Promise<this> {
    await this.run({
      argv: ['/bin/true'],
      cwd: '/',
      policy: { fileSystem: { type: 'unrestricted' }, network: 'enabled' },
    });
    return this;
  }

  /** A fresh directory that belongs to this user, outside /tmp, removed at the end. */
  directory(): string {
    const path = mkdtempSync('/var/tmp/sandbox-test-');
    chmodSync(path, 0o755);
    if (isRoot) chownSync(path, this.#uid, this.#uid);
    this.#directories.push(path);
    return path;
  }

  run(request: RunSandboxedRequest): Promise<SandboxedResult> {
    return this.ask<SandboxedResult>(request);
  }

  /** `run` for another runner, which has requests and answers of its own. */
  async ask<Answer>(request: object): Promise<Answer> {
    const id = ++this.#lastId;
    const reply = await new Promise<Reply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.stdin?.write(`${JSON.stringify({ id, request })}\n`);
    });
    if (reply.error !== undefined) throw new SandboxFailure(reply.error.code, reply.error.message);
    return reply.result as Answer;
  }

  /** A shell script with a plain environment. */
  shell(cwd: string, policy: SandboxPolicy, script: string): Promise<SandboxedResult> {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, LC_ALL: 'C' };
    return this.run({ argv: ['/bin/sh', '-c', script], cwd, policy, env, timeoutMs: 50_000 });
  }

  /** Runs something on the host as this user. */
  host(cwd: string, script: string): Promise<{ code: number | null; output: string }> {
    const asUser =
      isRoot && this.#uid !== 0
        ? ['setpriv', `--reuid=${this.#uid}`, `--regid=${this.#uid}`, '--clear-groups']
        : ['env'];
    const child = spawn(asUser[0] ?? '', [...asUser.slice(1), '/bin/sh', '-c', script], {
      cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: cwd, LC_ALL: 'C' },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
  }

  kill(): Promise<void> {
    return this.#end(() => this.#child.kill('SIGKILL'));
  }

  async close(): Promise<void> {
    await this.#end(() => this.#child.stdin?.end());
    for (const path of this.#directories) rmSync(path, { recursive: true, force: true });
  }

  #end(stop: () => void): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#child.once('close', () => resolve());
      stop();
    });
  }

  #failWaiting(): void {
    for (const settle of this.#waiting.values()) {
      settle({
        id: 0,
        error: { code: 'RUNNER_GONE', message: 'the program that runs sandboxed commands has ended' },
      });
    }
    this.#waiting.clear();
  }

  #receive(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const reply = JSON.parse(line) as Reply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    }
  }
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Who the tests run as. Only root can try both. */
export const users: readonly (readonly [string, number])[] = isRoot
  ? [
      ['root', 0],
      ['an ordinary user', NOBODY],
    ]
  : [['this user', process.getuid?.() ?? NOBODY]];
