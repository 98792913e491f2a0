// One run of `codex exec`: a whole agent turn without a person.
import { type ChildProcess, spawn } from 'node:child_process';
import { plainEnvironment } from '../servers/plain-environment.js';

export interface CodexExecOptions {
  readonly binary: string;
  readonly home: string;
  readonly workspace: string;
  readonly sandbox: SandboxMode;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Only an app-server asks. */
  readonly approval?: Approval;
}

/** Whom the CLI asks, and what it is told. */
export interface Approval {
  readonly policy?: string | object;
  readonly decision?: 'accept' | 'acceptForSession' | 'decline';
  /** About input for a terminal that runs already; default as `decision`. */
  readonly input?: 'accept' | 'decline';
}

/** `configured` leaves it to the configuration. */
export type SandboxMode = 'danger-full-access' | 'workspace-write' | 'read-only' | 'configured';

export interface CodexEvent {
  readonly type: string;
  readonly item?: { readonly type: string; readonly message?: string };
}

export class CodexExec {
  /** Resolves when the CLI has ended, however it did. */
  readonly ended: Promise<void>;
  readonly events: CodexEvent[] = [];
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';

  constructor(options: CodexExecOptions) {
    const { binary, home, workspace, env } = options;
    const flags =
      options.sandbox === 'configured' ? options.flags : ['--sandbox', options.sandbox, ...options.flags];
    const args = ['exec', '--json', '--skip-git-repo-check', ...flags, '--cd', workspace, 'begin'];
    const child = spawn(binary, args, {
      cwd: workspace,
      env: { ...plainEnvironment(home), CODEX_HOME: home, SCRIPTED_MODEL_KEY: 'none', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => {
        this.events.push(...parseEvents(this.#stdout));
        resolve();
      });
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** For the message of a test that fails: how it ended and what it said last. */
  describe(): string {
    const { exitCode, signalCode } = this.#child;
    return `codex exec ended with ${signalCode ?? exitCode}\n${this.#stderr.slice(-2_000)}\n${this.#stdout.slice(-2_000)}`;
  }

  /** Whether the turn came to its end as turns should. */
  get completed(): boolean {
    return this.#child.exitCode === 0 && this.events.some(({ type }) => type === 'turn.completed');
  }
}

function parseEvents(text: string): CodexEvent[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CodexEvent);
}
