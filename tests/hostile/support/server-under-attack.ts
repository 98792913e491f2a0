// The built program as a process of its own, under an ordinary user where that is possible: what an attack could break
// is then a scratch directory.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const DIST = fileURLToPath(new URL('../../../apps/codex/dist/', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../../../packages/launcher/native/build/', import.meta.url));
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

/** The server of an ordinary user cannot see who of root's processes connects: it wants a token. */
export const TOKEN = 'known to all who attack here';
const AUTH = [
  '--ws-auth',
  'capability-token',
  '--ws-token-sha256',
  createHash('sha256').update(TOKEN).digest('hex'),
];

export interface AttackOptions {
  readonly args?: readonly string[];
  /** A shell prefix such as `ulimit -n 64;`. */
  readonly before?: string;
}

export class ServerUnderAttack {
  readonly scratch: string;
  readonly child: ChildProcess;
  readonly #folder: string;
  #stdout = '';
  stderr = '';

  static async start({ args = [], before = '' }: AttackOptions = {}): Promise<ServerUnderAttack> {
    const server = new ServerUnderAttack(args, before);
    onTestFinished(() => server.end());
    await server.#listening();
    return server;
  }

  private constructor(args: readonly string[], before: string) {
    this.#folder = mkdtempSync('/var/tmp/hostile-');
    this.scratch = join(this.#folder, 'scratch');
    cpSync(DIST, join(this.#folder, 'dist'), { recursive: true });
    cpSync(LAUNCHER, join(this.#folder, 'prebuilt'), { recursive: true });
    mkScratch(this.#folder, this.scratch);
    const program = [process.execPath, join(this.#folder, 'dist', 'codex.js'), 'exec-server'];
    const command = `${before} exec "$@"`;
    const user = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'] : [];
    const [file = '', ...rest] = [...user, 'sh', '-c', command, 'sh', ...program, ...AUTH, ...args];
    this.child = spawn(file, rest, {
      cwd: this.scratch,
      env: { PATH: '/usr/bin:/bin', HOME: this.scratch, TMPDIR: this.scratch },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Where the server's own program is. */
  get programFolder(): string {
    return join(this.#folder, 'dist');
  }

  get url(): string {
    return this.#stdout.split('\n', 1)[0] ?? '';
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Processes below the server, helpers included. */
  descendants(): number[] {
    return descendantsOf(this.child.pid ?? 0);
  }

  openDescriptors(): number {
    return readdirSync(`/proc/${this.child.pid}/fd`).length;
  }

  residentMegabytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  }

  async end(): Promise<void> {
    if (this.isAlive) {
      this.child.kill('SIGKILL');
      await once(this.child, 'exit');
    }
    // What compiles beside a server that was killed writes a moment longer.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  async #listening(): Promise<void> {
    while (!this.#stdout.includes('\n')) {
      if (!this.isAlive) throw new Error(`the server ended: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function mkScratch(folder: string, scratch: string): void {
  chmodSync(folder, 0o755);
  cpSync(fileURLToPath(new URL('./scratch-template/', import.meta.url)), scratch, { recursive: true });
  if (isRoot) {
    chownSync(scratch, NOBODY, NOBODY);
    for (const name of readdirSync(scratch)) chownSync(join(scratch, name), NOBODY, NOBODY);
  }
}

export function descendantsOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // It ended while we looked.
    }
  }
  const found: number[] = [];
  const waiting = [root];
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    const next = children.get(pid) ?? [];
    found.push(...next);
    waiting.push(...next);
  }
  return found;
}
