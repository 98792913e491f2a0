// Starts a server under test as a process of its own and reads its address from the first line of its stdout.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { BenchClient } from './bench-client.js';

export interface ServerCommand {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * The same few variables for everything that is started: some would be measured with it. NODE_EXTRA_CA_CERTS, for one,
 * costs Node 50 ms at its start.
 */
export function plainEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The real server does not end by itself beside a thousand processes. */
const STOPS_WITHIN_MS = 5000;

export class ServerProcess {
  readonly url: string;
  readonly #command: ServerCommand;
  /** From spawn to the printed address. */
  readonly #startupMs: number;
  readonly #child: ChildProcess;

  private constructor(
    command: ServerCommand,
    started: { url: string; startupMs: number; child: ChildProcess },
  ) {
    this.#command = command;
    this.url = started.url;
    this.#startupMs = started.startupMs;
    this.#child = started.child;
  }

  static async start(serverCommand: ServerCommand): Promise<ServerProcess> {
    const { name, command, env } = serverCommand;
    const [program = '', ...args] = command;
    const begin = performance.now();
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...plainEnvironment(), ...env },
    });
    const url = await new Promise<string>((resolve, reject) => {
      createInterface({ input: child.stdout }).once('line', resolve);
      child.once('error', reject);
      child.once('exit', (code) =>
        reject(new Error(`${name} ended with ${code} before it printed its address`)),
      );
    });
    return new ServerProcess(serverCommand, { url, startupMs: performance.now() - begin, child });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Starts and ends another server like this one; returns the time until it had printed its address. */
  async timeAnotherStart(): Promise<number> {
    const another = await ServerProcess.start(this.#command);
    await another.stop();
    return another.#startupMs;
  }

  /** Another server like this one, which has done nothing yet. The caller stops it. */
  another(): Promise<ServerProcess> {
    return ServerProcess.start(this.#command);
  }

  /** The time from the start of a server to its answer to `initialize`, for a client that waits for nothing else. */
  async timeFirstAnswer(transport: 'websocket' | 'stdio'): Promise<number> {
    const begin = performance.now();
    if (transport === 'stdio') {
      const session = startStdioSession(this.#command);
      await session.answered;
      const ms = performance.now() - begin;
      await session.end();
      return ms;
    }
    const another = await this.another();
    const client = await BenchClient.connect(another.url);
    const ms = performance.now() - begin;
    client.close();
    await another.stop();
    return ms;
  }

  /** Resident memory in MiB. */
  residentMiB(): number {
    return this.#statusMiB('VmRSS');
  }

  /** The highest resident memory since `forgetPeak`. */
  peakMiB(): number {
    return this.#statusMiB('VmHWM');
  }

  /** Processor time that the server itself has used. */
  cpuMs(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
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
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOPS_WITHIN_MS);
    await ended;
    clearTimeout(late);
  }
}

/** `initialize` is written before the program runs, as ssh would have it waiting. */
function startStdioSession({ command, env }: ServerCommand): {
  answered: Promise<void>;
  end(): Promise<void>;
} {
  const [program = '', ...args] = command.map((word) => (word.startsWith('ws://') ? 'stdio' : word));
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...plainEnvironment(), ...env },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answered = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  child.stdin.write(
    '{"id":1,"method":"initialize","params":{"clientName":"bench","resumeSessionId":null}}\n',
  );
  return {
    answered,
    end: () => {
      child.stdin.end();
      return ended;
    },
  };
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
