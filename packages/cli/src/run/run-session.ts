// Runs one command from its start to its exit code: forwards output, input, signals and the size of the terminal.

import type {
  ConnectionEvent,
  ExecServerClient,
  Outcome,
  RemoteProcess,
  SpawnOptions,
} from '@codex/exec-client';
import { pathToFileUri } from '@codex/exec-protocol';
import type { ReceiveGate } from '../connect/receive-gate.js';
import { printError } from '../print-text.js';
import { EscapeKeys } from './escape-keys.js';
import { codeOfOutcome } from './exit-codes.js';
import { forwardInput, inputOption } from './input-forward.js';
import { enterRawMode, onResize, terminalSize } from './local-terminal.js';
import { OutputError, OutputPump } from './output-pump.js';
import { RunReport } from './run-report.js';
import { type SandboxFlags, sandboxFromFlags } from './sandbox-flag.js';
import { serverPath } from './server-path.js';
import { StopSignals } from './stop-signals.js';

export interface RunFlags extends SandboxFlags {
  readonly tty?: boolean;
  readonly stdin: boolean;
  readonly timeout?: number;
  readonly reconnect?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly json?: boolean;
}

export interface RunEnd {
  readonly code: number;
  /** Instead of exiting: a thread hangs in a write without a reader, or the terminal is gone. */
  readonly dieBy?: NodeJS.Signals;
  /** What `--json` prints. */
  readonly report?: object;
}

// More than a server holds back of one command, so that what follows its exit always fits.
const BUFFER_BYTES = 64 * 1024 * 1024;

export class RunSession {
  readonly #client: ExecServerClient;
  readonly #gate: ReceiveGate;
  readonly #flags: RunFlags;
  readonly #undo: (() => void)[] = [];
  readonly #report: RunReport | undefined;
  #isRaw = false;
  /** False where the input was read as a whole before the start. */
  #isInputLive = true;

  constructor(client: ExecServerClient, gate: ReceiveGate, flags: RunFlags) {
    this.#client = client;
    this.#gate = gate;
    this.#flags = flags;
    if (flags.json === true) this.#report = new RunReport();
  }

  /** Tells a person something on stderr, also while the terminal is raw. */
  readonly note = (text: string): void => {
    printError(`exec-server run: ${text}${this.#isRaw ? '\r\n' : '\n'}`);
  };

  async run(
    argv: readonly [string, ...string[]],
    started: (process: RemoteProcess) => void,
  ): Promise<RunEnd> {
    const remote = await this.#client.spawn(argv, await this.#spawnOptions());
    started(remote);
    try {
      return await this.#follow(remote);
    } finally {
      for (const undo of this.#undo.reverse()) undo();
      process.stdin.destroy();
    }
  }

  async #follow(remote: RemoteProcess): Promise<RunEnd> {
    using signals = new StopSignals(this.#client, remote);
    const pump = new OutputPump({
      process: remote,
      gate: this.#gate,
      ...(this.#report === undefined ? {} : { sinks: this.#report }),
      onGap: ({ bytes }) => {
        this.#report?.lost(bytes);
        this.note(`${bytes ?? 'an unknown number of'} bytes of output were lost`);
      },
      onBroken: () => signals.stop('SIGPIPE'),
    });
    if (remote.tty) this.#mirrorTerminal(remote);
    this.#forward(remote, signals);
    const outcome = await remote.wait();
    const wasStopped = outcome.kind !== 'exited' && outcome.kind !== 'denied';
    const stuck = wasStopped && !(await pump.finishUnlessStuck());
    if (!stuck) await pump.finish();
    if (pump.failure !== undefined) throw new OutputError(pump.failure);
    const code = codeOfOutcome(outcome, signals.stoppedBy);
    this.#report?.ended(outcome);
    if (this.#report === undefined) this.#explain(outcome);
    const end = this.#report === undefined ? { code } : { code, report: this.#report.of(code) };
    if (stuck) return { ...end, dieBy: 'SIGKILL' };
    return signals.hungUp ? { ...end, dieBy: 'SIGHUP' } : end;
  }

  #forward(remote: RemoteProcess, signals: StopSignals): void {
    if (!remote.stdin.open || !this.#flags.stdin || !this.#isInputLive) return;
    const escapeKeys = new EscapeKeys();
    const onBytes = (bytes: Uint8Array): void => {
      if (this.#isRaw && escapeKeys.sees(bytes, performance.now())) signals.stop('SIGINT');
    };
    void forwardInput(remote, { onBytes, note: this.note });
  }

  #mirrorTerminal(remote: RemoteProcess): void {
    if (this.#client.supports('pty.resize')) {
      this.#undo.push(onResize((size) => void remote.resize(size).catch(() => undefined)));
    }
    if (!process.stdin.isTTY || !this.#flags.stdin) return;
    const restore = enterRawMode(process.stdin);
    this.#isRaw = true;
    this.#undo.push(() => {
      this.#isRaw = false;
      restore();
    });
  }

  async #spawnOptions(): Promise<SpawnOptions> {
    const { cwd = '.', timeout, env = {}, tty = false, stdin } = this.#flags;
    const { info } = this.#client;
    const input = await inputOption(this.#client, { tty, none: !stdin, note: this.note });
    this.#isInputLive = input === 'pipe';
    const directory = serverPath(cwd, info);
    const sandbox = sandboxFromFlags(this.#flags, {
      cwd: directory,
      toUri: (path) => pathToFileUri(serverPath(path, info)),
    });
    const term = process.env['TERM'];
    return {
      cwd: directory,
      env: tty && term !== undefined ? { TERM: term, ...env } : env,
      stdin: input,
      bufferBytes: BUFFER_BYTES,
      capture: { maxBytes: 0 },
      ...(tty ? { tty: this.#client.supports('pty.size') ? terminalSize() : true } : {}),
      ...(timeout === undefined ? {} : { timeoutMs: timeout }),
      ...(sandbox === undefined ? {} : { sandbox }),
    };
  }

  #explain(outcome: Outcome): void {
    if (outcome.kind === 'denied') this.note('the sandbox refused something that the command tried');
    if (outcome.kind === 'timedOut') this.note(`stopped after ${outcome.timeoutMs / 1000} s`);
    if (outcome.kind === 'lost') this.note(outcome.error.message);
  }
}

export function connectionNote({ type }: ConnectionEvent): string | undefined {
  if (type === 'reconnecting') return 'the connection broke; trying to take it up again';
  return type === 'reconnected' ? 'connected again' : undefined;
}
