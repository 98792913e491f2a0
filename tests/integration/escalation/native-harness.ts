// Runs a command line in an intercepted shell, through the real launcher and the real broker, with decisions of the
// test's own.
import { existsSync } from 'node:fs';
import {
  type AskedPrograms,
  chooseShell,
  type EscalationBroker,
  type ExecDecision,
  type ExecEvent,
  type ExecRequest,
  locatePrograms,
  patchedBashPath,
  type ShellChoice,
  shellCommandLine,
  startBroker,
} from '@codex/escalation';
import { createLauncher, type LaunchedProcess, type LaunchSpec } from '@codex/launcher';
import { launchSpec, prepareSandbox, type SandboxPolicy } from '@codex/sandbox';

/** A run with sanitizers, or with a guard taken out, brings its own programs. */
const located = locatePrograms();
export const PROGRAMS = {
  ...located,
  wrapper: process.env['CODEX_TEST_WRAPPER'] ?? located.wrapper,
  broker: process.env['CODEX_TEST_BROKER'] ?? located.broker,
  preload: process.env['CODEX_TEST_PRELOAD'] ?? located.preload,
};

export type ShellKind = ShellChoice['kind'];

const MISSING =
  'the patched Bash is missing: node packages/escalation/scripts/build-bash.mjs builds it ' +
  '(Debian, Ubuntu: apt-get install gcc libc6-dev make patch)';

/** Without the shell a test fails with what to do about it. */
export async function shellOf(kind: ShellKind): Promise<ShellChoice> {
  if (kind === 'preload') return chooseShell({ programs: PROGRAMS, environment: { HOME: '/nonexistent' } });
  if (!existsSync(patchedBashPath())) throw new Error(MISSING);
  return chooseShell({ programs: PROGRAMS, bash: patchedBashPath() });
}

export interface ShellRun {
  readonly command: string;
  readonly shell: ShellChoice;
  readonly cwd?: string;
  readonly login?: boolean;
  readonly policy?: SandboxPolicy;
  readonly environment?: Record<string, string>;
  readonly asked?: AskedPrograms;
  readonly decide?: (request: ExecRequest, signal: AbortSignal) => ExecDecision | Promise<ExecDecision>;
}

export interface RunningShell {
  readonly process: LaunchedProcess;
  readonly requests: ExecRequest[];
  readonly events: ExecEvent[];
  readonly closed: Promise<'ended' | 'lost'>;
  readonly end: () => void;
  readonly output: () => string;
  /** Exit code when everything is gone. */
  readonly done: Promise<number | null>;
}

export class Harness {
  readonly launcher = createLauncher();
  readonly #brokers: EscalationBroker[] = [];
  readonly #running: LaunchedProcess[] = [];
  #broker: EscalationBroker | undefined;
  #count = 0;

  async broker(): Promise<EscalationBroker> {
    this.#broker ??= await this.newBroker();
    return this.#broker;
  }

  async newBroker(limits: { maxSessions?: number; firstFrameMs?: number } = {}): Promise<EscalationBroker> {
    const broker = await startBroker({ limits, brokerProgram: PROGRAMS.broker });
    this.#brokers.push(broker);
    return broker;
  }

  async start(run: ShellRun, broker?: EscalationBroker): Promise<RunningShell> {
    const requests: ExecRequest[] = [];
    const events: ExecEvent[] = [];
    this.#count += 1;
    const call = (broker ?? (await this.broker())).openCall({
      callId: `call-${this.#count}`,
      askedPrograms: run.asked ?? 'all',
      onRequest: async (request, signal) => {
        requests.push(request);
        return (await run.decide?.(request, signal)) ?? { action: 'run' };
      },
      onEvent: (event) => events.push(event),
    });
    const environment = {
      PATH: '/usr/bin:/bin',
      ...run.environment,
      ...run.shell.environment,
      ...call.environment,
    };
    const process = await this.launcher.launch(call.wrap(await this.#spec(run, environment)));
    this.#running.push(process);
    const texts: Buffer[] = [];
    const ended = process.outputs.map(
      (output) =>
        new Promise<void>((resolve) => output.start((block) => texts.push(Buffer.from(block)), resolve)),
    );
    const output = () => Buffer.concat(texts).toString();
    const finish = async () => {
      const { code } = await process.exited;
      await Promise.all([process.treeGone, ...ended]);
      // A broker that is gone has said its last by then; one that never came says nothing.
      await Promise.race([call.closed, new Promise((resolve) => setTimeout(resolve, 2000))]);
      call.end();
      return code;
    };
    return { process, requests, events, closed: call.closed, end: () => call.end(), output, done: finish() };
  }

  async run(run: ShellRun, broker?: EscalationBroker) {
    const running = await this.start(run, broker);
    const code = await running.done;
    return { code, output: running.output(), requests: running.requests, events: running.events };
  }

  async #spec(run: ShellRun, env: Record<string, string>): Promise<LaunchSpec> {
    const io = { type: 'pipe', stdin: 'closed' } as const;
    // In the order in which it is written.
    const argv = shellCommandLine(run.shell, {
      command: `exec 2>&1; ${run.command}`,
      login: run.login === true,
    });
    const cwd = run.cwd ?? '/tmp';
    if (run.policy === undefined) return { argv, cwd, env, io };
    const { policy } = run;
    const replaceFiles = run.shell.covers.map((path) => ({ path, by: run.shell.bash }));
    const keepFiles = run.shell.files;
    return launchSpec(
      await prepareSandbox({ argv, cwd, env, policy, keepFiles, replaceFiles, dieWithParent: false }),
      { io },
    );
  }

  async close(): Promise<void> {
    for (const process of this.#running) process.killTree();
    await Promise.all(this.#brokers.map((broker) => broker.close()));
    this.launcher.close();
  }
}
