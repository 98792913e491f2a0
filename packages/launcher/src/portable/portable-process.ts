// A command started by child_process in a session of its own; its tree is what groups, sessions and parents show.
import type { ChildProcess } from 'node:child_process';
import { killQuietly } from '../kill-quietly.js';
import type {
  ExitStatus,
  LaunchedProcess,
  ProcessInput,
  ProcessOutput,
  SignalScope,
} from '../launched-process.js';
import { findTree, runsInGroup } from '../process-table.js';

const KILL_ROUNDS = 5;
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 500;

export interface PortableProcessOptions {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly input: ProcessInput | undefined;
  readonly outputs: readonly ProcessOutput[];
  readonly resize: (rows: number, cols: number) => void;
  /** Called when no process of the group is left. */
  readonly onGone: () => void;
}

export class PortableProcess implements LaunchedProcess {
  readonly pid: number;
  readonly input: ProcessInput | undefined;
  readonly outputs: readonly ProcessOutput[];
  readonly exited: Promise<ExitStatus>;
  readonly treeGone: Promise<void>;
  readonly #resize: (rows: number, cols: number) => void;
  #hasCommandEnded = false;
  #isGone = false;

  constructor(options: PortableProcessOptions) {
    this.pid = options.pid;
    this.input = options.input;
    this.outputs = options.outputs;
    this.#resize = options.resize;
    this.exited = new Promise((resolve) => {
      options.child.once('exit', (code, signal) => {
        this.#hasCommandEnded = true;
        resolve({ code, signal });
      });
    });
    this.treeGone = this.exited.then(() => this.#waitGone()).then(options.onGone);
  }

  signal(name: NodeJS.Signals, scope: SignalScope = 'command'): void {
    if (scope === 'command' && !this.#hasCommandEnded) killQuietly(this.pid, name);
    // A group's number is not given to a new process while the group has members.
    else if (scope === 'group' && !this.#isGone) killQuietly(-this.pid, name);
    else if (scope === 'descendants' && !this.#isGone) {
      for (const pid of findTree(this.pid)) if (pid !== this.pid) killQuietly(pid, name);
    }
  }

  resize(rows: number, cols: number): void {
    this.#resize(rows, cols);
  }

  killTree(): void {
    if (this.#isGone) return;
    for (let round = 0; round < KILL_ROUNDS; round += 1) {
      const tree = findTree(this.pid);
      if (tree.length === 0) return;
      if (round === 0) for (const pid of tree) killQuietly(pid, 'SIGSTOP');
      for (const pid of tree) killQuietly(pid, 'SIGKILL');
    }
  }

  /** There is no event for the end of a group: look again, ever more rarely. */
  async #waitGone(): Promise<void> {
    for (let pause = FIRST_LOOK_MS; this.#hasGroup(); pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    this.#isGone = true;
  }

  /** The first process of some containers takes seconds to take note of an orphan's end. */
  #hasGroup(): boolean {
    return killQuietly(-this.pid, 0) && runsInGroup(this.pid);
  }
}
