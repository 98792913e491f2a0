// The built program at its very start, with what it has started: found by descent, and known by pid and start time from then on, because
// after a kill the parents are others.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));

export class StartingServer {
  readonly #child: ChildProcess;
  readonly #folder = mkdtempSync('/var/tmp/hostile-');
  readonly #seen = new Map<number, string>();
  readonly #watch: NodeJS.Timeout;

  /** `bubblewrap` takes the place of the host's. */
  constructor(bubblewrap?: string) {
    if (bubblewrap !== undefined) writeFileSync(join(this.#folder, 'bwrap'), bubblewrap, { mode: 0o755 });
    this.#child = spawn(
      process.execPath,
      [PROGRAM, 'exec-server', '--listen', 'ws://127.0.0.1:0', '--no-config'],
      {
        cwd: this.#folder,
        env: { PATH: `${this.#folder}:/usr/bin:/bin`, HOME: this.#folder },
        stdio: 'ignore',
      },
    );
    this.#watch = setInterval(() => this.#look(), 1);
    onTestFinished(() => this.#end());
  }

  /** True as soon as it has started a process, false when it has started none for a while. */
  async hasChild(): Promise<boolean> {
    for (let look = 0; look < 3000; look++) {
      this.#look();
      if (this.#seen.size > 0) return true;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return false;
  }

  async kill(): Promise<void> {
    this.#look();
    this.#child.kill('SIGKILL');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'exit');
    clearInterval(this.#watch);
  }

  /** What was seen below it, or came from that, and lives. */
  left(): string[] {
    for (const pid of this.#seen.keys()) for (const child of below(pid)) this.#note(child);
    return [...this.#seen].flatMap(([pid, startTime]) => {
      const now = factsOf(pid);
      return now?.startTime === startTime && now.state !== 'Z' ? [`${pid} ${now.state} ${now.words}`] : [];
    });
  }

  #look(): void {
    for (const pid of below(this.#child.pid ?? 0)) this.#note(pid);
  }

  #note(pid: number): void {
    const facts = factsOf(pid);
    if (facts !== undefined && !this.#seen.has(pid)) this.#seen.set(pid, facts.startTime);
  }

  #end(): void {
    clearInterval(this.#watch);
    this.#child.kill('SIGKILL');
    // What compiles beside a server that was killed writes a moment longer.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function factsOf(pid: number): { state: string; startTime: string; words: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '', words };
  } catch {
    return undefined;
  }
}

/** From the kernel's own lists: looking at every process of the machine would take longer than what is to be seen lives. */
function below(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => {
    try {
      const text = readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1').trim();
      return text === '' ? [] : text.split(' ').map(Number);
    } catch {
      return [];
    }
  });
  return children.flatMap((child) => [child, ...below(child)]);
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}
