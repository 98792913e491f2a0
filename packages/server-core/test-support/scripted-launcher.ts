// A launcher whose processes do what a test tells them, for behaviour that depends on exact timing. What real processes
// do is tested with real ones.
import type {
  ExitStatus,
  LaunchedProcess,
  Launcher,
  LaunchSpec,
  ProcessInput,
  ProcessOutput,
} from '@codex/launcher';

class ScriptedOutput implements ProcessOutput {
  readonly stream: ProcessOutput['stream'];
  isPaused = false;
  emit: (bytes: Uint8Array) => void = () => undefined;
  end: () => void = () => undefined;

  constructor(stream: ProcessOutput['stream']) {
    this.stream = stream;
  }

  start(onData: (block: Buffer) => void, onEnd: () => void): void {
    this.emit = (bytes) => onData(Buffer.from(bytes));
    this.end = onEnd;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  discard(): void {
    this.end();
  }
}

/** Takes one write at a time, when the test says so. */
export class ScriptedInput implements ProcessInput {
  readonly taken: string[] = [];
  isEnded = false;
  readonly #waiting: { bytes: Uint8Array; resolve: () => void; reject: (error: Error) => void }[] = [];

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.push({ bytes, resolve, reject }));
  }

  end(): void {
    this.isEnded = true;
  }

  take(): void {
    const write = this.#waiting.shift();
    if (write === undefined) return;
    this.taken.push(Buffer.from(write.bytes).toString());
    write.resolve();
  }

  breakPipe(): void {
    this.#waiting.shift()?.reject(new Error('EPIPE'));
  }
}

export class ScriptedProcess implements LaunchedProcess {
  readonly pid: number;
  readonly input: ScriptedInput | undefined;
  readonly outputs: readonly ScriptedOutput[];
  readonly exited: Promise<ExitStatus>;
  readonly treeGone: Promise<void>;
  readonly done: string[] = [];
  exit: (status: Partial<ExitStatus>) => void = () => undefined;
  lose: (error: Error) => void = () => undefined;
  vanish: () => void = () => undefined;

  constructor(spec: LaunchSpec, pid: number) {
    this.pid = pid;
    const hasInput = spec.io.type === 'pty' || spec.io.stdin === 'open';
    this.input = hasInput ? new ScriptedInput() : undefined;
    const streams = spec.io.type === 'pty' ? (['pty'] as const) : (['stdout', 'stderr'] as const);
    this.outputs = streams.map((stream) => new ScriptedOutput(stream));
    this.exited = new Promise((resolve, reject) => {
      this.exit = (status) => resolve({ code: null, signal: null, ...status });
      this.lose = reject;
    });
    this.treeGone = new Promise((resolve) => {
      this.vanish = resolve;
    });
  }

  /** The usual end: exit, end of output, nothing left. */
  finish(code = 0): void {
    this.exit({ code });
    for (const output of this.outputs) output.end();
    this.vanish();
  }

  say(text: string, output = 0): void {
    this.outputs[output]?.emit(Buffer.from(text));
  }

  signal(name: NodeJS.Signals, scope?: string): void {
    this.done.push(`${name} ${scope}`);
  }

  resize(rows: number, cols: number): void {
    this.done.push(`resize ${rows}x${cols}`);
  }

  killTree(): void {
    this.done.push('kill');
  }
}

export class ScriptedLauncher implements Launcher {
  readonly kind = 'node';
  readonly weaknesses = [];
  readonly launched: ScriptedProcess[] = [];
  readonly specs: LaunchSpec[] = [];
  isClosed = false;
  /** Launches stay under way until `let()` is called. */
  isSlow = false;
  readonly #waiting: (() => void)[] = [];
  failure: Error | undefined;

  async launch(spec: LaunchSpec): Promise<LaunchedProcess> {
    this.specs.push(spec);
    if (this.isSlow) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.failure !== undefined) throw this.failure;
    for (const grant of spec.inheritFds ?? []) if ('make' in grant) await grant.make();
    const process = new ScriptedProcess(spec, 1000 + this.launched.length);
    this.launched.push(process);
    return process;
  }

  let(): void {
    this.#waiting.shift()?.();
  }

  close(): void {
    this.isClosed = true;
  }

  get last(): ScriptedProcess {
    const process = this.launched.at(-1);
    if (process === undefined) throw new Error('nothing was launched');
    return process;
  }
}
