// One turn of `codex app-server` whose approval requests are answered. `codex exec` cannot do that: it never asks.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { plainEnvironment } from '../servers/plain-environment.js';
import type { Approval, CodexExecOptions, SandboxMode } from './codex-exec.js';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: { readonly thread?: { readonly id: string } };
  readonly error?: { readonly message: string };
}

export class ApprovingAppServer {
  /** Resolves when the program has ended, however it did. */
  readonly ended: Promise<void>;
  /** What was asked. */
  readonly asked: { readonly method: string; readonly params: unknown }[] = [];
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, (message: Message) => void>();
  #lastId = 0;
  readonly #approval: Approval;
  #completed = false;
  #stderr = '';

  constructor({ binary, home, workspace, flags, env, sandbox, approval = {} }: CodexExecOptions) {
    this.#approval = approval;
    const child = spawn(binary, ['app-server', ...flags], {
      cwd: workspace,
      env: { ...plainEnvironment(home), CODEX_HOME: home, SCRIPTED_MODEL_KEY: 'none', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4_000);
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(JSON.parse(line) as Message));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
    void this.#begin(workspace, sandbox).catch((error: unknown) => {
      this.#stderr += String(error);
      this.kill('SIGKILL');
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  describe(): string {
    const { exitCode, signalCode } = this.#child;
    return `codex app-server ended with ${signalCode ?? exitCode}\n${this.#stderr}`;
  }

  get completed(): boolean {
    return this.#completed;
  }

  async #begin(cwd: string, sandbox: SandboxMode): Promise<void> {
    await this.#call('initialize', {
      clientInfo: { name: 'test', title: 'test', version: '1' },
      capabilities: { experimentalApi: true },
    });
    this.#send({ method: 'initialized' });
    const started = await this.#call('thread/start', {
      cwd,
      approvalPolicy: this.#approval.policy ?? 'on-request',
      ...(sandbox === 'configured' ? {} : { sandbox }),
    });
    const threadId = started.result?.thread?.id;
    await this.#call('turn/start', { threadId, input: [{ type: 'text', text: 'begin', text_elements: [] }] });
  }

  async #call(method: string, params: unknown): Promise<Message> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#send({ id, method, params });
    const answer = await new Promise<Message>((resolve) => this.#pending.set(id, resolve));
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer;
  }

  #receive(message: Message): void {
    if (message.method === undefined) {
      if (typeof message.id === 'number') this.#pending.get(message.id)?.(message);
    } else if (message.id !== undefined) {
      this.asked.push({ method: message.method, params: message.params });
      this.#send({ id: message.id, result: this.#answer(message.method, message.params) });
    } else if (message.method === 'turn/completed') {
      this.#completed = true;
      this.#child.stdin?.end();
    }
  }

  /** A tool server's own question is answered in MCP's words. */
  #answer(method: string, params: unknown): object {
    const { decision: general = 'accept', input = general } = this.#approval;
    const isInput = Object(params).kind === 'writeStdin';
    const decision = isInput ? input : general;
    if (!method.includes('elicitation')) return { decision };
    return { action: decision === 'decline' ? 'decline' : 'accept', content: {} };
  }

  #send(message: object): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}
