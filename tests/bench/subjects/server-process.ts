// Starts a server under test as a process of its own and reads its address from the first line of its stdout.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

export interface ServerCommand {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class ServerProcess {
  readonly name: string;
  readonly url: string;
  /** From spawn to the printed address. */
  readonly startupMs: number;
  readonly #child: ChildProcess;

  private constructor(name: string, started: { url: string; startupMs: number; child: ChildProcess }) {
    this.name = name;
    this.url = started.url;
    this.startupMs = started.startupMs;
    this.#child = started.child;
  }

  static async start({ name, command, env }: ServerCommand): Promise<ServerProcess> {
    const [program = '', ...args] = command;
    const begin = performance.now();
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ...env },
    });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('exit', (code) =>
        reject(new Error(`${name} ended with ${code} before it printed its address`)),
      );
    });
    return new ServerProcess(name, { url, startupMs: performance.now() - begin, child });
  }

  /** Resident memory in MiB. */
  residentMiB(): number {
    return this.#statusMiB('VmRSS');
  }

  /** The highest resident memory since `forgetPeak`. */
  peakMiB(): number {
    return this.#statusMiB('VmHWM');
  }

  forgetPeak(): void {
    writeFileSync(`/proc/${this.#child.pid}/clear_refs`, '5');
  }

  /** The server with everything it has started; pages that processes share are counted once. */
  treeMiB(): number {
    return processTree(this.#child.pid ?? 0).reduce((sum, pid) => sum + proportionalMiB(pid), 0);
  }

  #statusMiB(field: string): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    await ended;
  }
}

function processTree(root: number): number[] {
  // A child belongs to the thread that started it.
  const children = readdirSync(`/proc/${root}/task`).flatMap((thread) =>
    readFileSync(`/proc/${root}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean),
  );
  return [root, ...children.flatMap((pid) => processTree(Number(pid)))];
}

function proportionalMiB(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
}
