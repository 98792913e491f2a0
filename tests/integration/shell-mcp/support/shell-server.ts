// The built program as an MCP server, and a client that writes and reads its lines, in either era.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../../apps/codex/dist/codex.js', import.meta.url));

/** The shells of scripts. Where the cache of another program (perf) holds hard links to them, no script would leave otherwise. */
const LISTED_SHELLS = ['/bin/sh', '/bin/bash']
  .map((shell) => realpathSync(shell))
  .map((path) => `host_executable("${basename(path)}", ["${path}"])\n`)
  .join('');

export interface ShellServerSetting {
  readonly rules?: string;
  readonly flags?: readonly string[];
  /** `stateless` is 2026-07-28. */
  readonly era?: 'handshake' | 'stateless';
  /** What the client says it can do. */
  readonly capabilities?: object;
  /** What its user answers, question by question; a function may take its time. */
  readonly answers?: readonly UserAnswer[];
  readonly env?: Readonly<Record<string, string>>;
  /** A script of sh that runs first, in mounts of its own; BASE stands for the folder of everything. */
  readonly mounts?: string;
  /** Files that have to be there when it starts. */
  readonly prepare?: (base: string) => void;
}

export type UserAnswer = string | (() => Promise<string>);

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string; readonly progress?: number; readonly requestId?: number };
  readonly result?: ToolResult & Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

interface ToolResult {
  readonly structuredContent?: ShellResult;
  readonly content?: readonly { readonly text: string }[];
  readonly resultType?: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, { readonly params: { readonly message: string } }>>;
}

export interface ShellResult {
  readonly exit_code: number;
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly timed_out: boolean;
  readonly truncated: boolean;
  readonly omitted_bytes: number;
  readonly sandbox_denied: boolean;
  readonly notes?: readonly string[];
}

/** A home folder with rules, and a workspace beside it: none of them in /tmp, which the sandbox can write. */
export class ShellServer {
  readonly base = mkdtempSync(join(homedir(), '.exec-shell-mcp-'));
  readonly workspace = join(this.base, 'workspace');
  readonly home = join(this.base, 'home');
  /** Not writable in the sandbox: here programs leave what they did. */
  readonly outside = join(this.base, 'outside');
  readonly child: ChildProcess;
  readonly received: Message[] = [];
  readonly questions: string[] = [];
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr = '';
  readonly #setting: ShellServerSetting;
  readonly #waiting = new Set<() => void>();
  readonly #answers: UserAnswer[];
  #rest = '';
  #id = 0;

  private constructor(setting: ShellServerSetting) {
    this.#setting = setting;
    this.#answers = [...(setting.answers ?? [])];
    for (const folder of [this.workspace, join(this.home, '.codex', 'rules'), this.outside]) {
      mkdirSync(folder, { recursive: true });
    }
    this.writeRules(setting.rules ?? '');
    this.writeRules(LISTED_SHELLS, 'shells.rules');
    setting.prepare?.(this.base);
    const bash = process.env['SHELL_MCP_BASH'];
    const flags = [...(bash === undefined ? [] : ['--bash', bash]), ...(setting.flags ?? [])].map((flag) =>
      flag.replace('BASE', this.base),
    );
    const mounts = setting.mounts?.replaceAll('BASE', this.base);
    const before = mounts === undefined ? [] : ['unshare', '-m', 'sh', '-ec', `${mounts}; exec "$@"`, 'sh'];
    const [command = '', ...words] = [...before, process.execPath, PROGRAM, 'exec-mcp-server', ...flags];
    const child = spawn(command, words, {
      cwd: this.workspace,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: this.home,
        LANG: 'C.UTF-8',
        OUTSIDE: this.outside,
        ...setting.env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child = child;
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    this.exited = new Promise((resolve) =>
      child.once('close', (code, signal) => {
        resolve({ code, signal });
        this.#wake();
      }),
    );
  }

  static async start(setting: ShellServerSetting = {}): Promise<ShellServer> {
    const server = new ShellServer(setting);
    if (setting.era !== 'stateless') await server.shakeHands();
    return server;
  }

  /** Without a handshake, for servers that do not get that far. */
  static spawn(setting: ShellServerSetting = {}): ShellServer {
    return new ShellServer(setting);
  }

  writeRules(text: string, name = 'default.rules'): void {
    writeFileSync(join(this.home, '.codex', 'rules', name), text);
  }

  async shakeHands(protocolVersion = '2025-06-18'): Promise<Message> {
    const answer = await this.request('initialize', {
      protocolVersion,
      capabilities: this.#capabilities,
      clientInfo: { name: 'test', version: '0' },
    });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** A call to its end; questions on the way are answered. */
  async shell(command: string, more: Record<string, unknown> = {}): Promise<ShellResult> {
    const { result, error } = await this.call({ command, ...more });
    if (result?.structuredContent === undefined) throw new TypeError(`no result: ${JSON.stringify(error)}`);
    return result.structuredContent;
  }

  async call(values: Record<string, unknown>, meta: Record<string, unknown> = {}): Promise<Message> {
    const args = { workdir: this.workspace, login: false, ...values };
    let more: Record<string, unknown> = {};
    for (;;) {
      const message = await this.request('tools/call', this.params(args, meta, more));
      if (message.result?.resultType !== 'input_required') return message;
      const { inputRequests = {}, requestState } = message.result;
      const inputResponses: Record<string, unknown> = {};
      for (const [key, { params }] of Object.entries(inputRequests)) {
        inputResponses[key] = { action: await this.#answer(params.message) };
      }
      more = { inputResponses, requestState };
    }
  }

  /** The parameters of a call, with what the era wants in them. */
  params(
    args: Record<string, unknown>,
    meta: Record<string, unknown> = {},
    more: Record<string, unknown> = {},
  ): Record<string, unknown> {
    const envelope =
      this.#setting.era === 'stateless'
        ? {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': this.#capabilities,
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' },
          }
        : {};
    return { name: 'shell', arguments: args, _meta: { ...envelope, ...meta }, ...more };
  }

  get #capabilities(): object {
    return this.#setting.capabilities ?? { elicitation: { form: {} } };
  }

  begin(method: string, params: object = {}): number {
    this.send({ id: ++this.#id, method, params });
    return this.#id;
  }

  request(method: string, params: object = {}): Promise<Message> {
    return this.answerTo(this.begin(method, params));
  }

  answerTo(id: number): Promise<Message> {
    return this.find((message) => message.id === id && message.method === undefined);
  }

  send(message: object): void {
    this.line(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  line(text: string): void {
    this.child.stdin?.write(`${text}\n`);
  }

  async find(wanted: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = this.received.find(wanted);
      if (message !== undefined) return message;
      if (this.child.exitCode !== null) throw new TypeError(`the server has ended: ${this.stderr}`);
      await this.next();
    }
  }

  /** Something was received, or the server has ended. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  async stderrIncludes(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await this.next();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin?.end();
    const late = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
    await this.exited;
    clearTimeout(late);
    rmSync(this.base, { recursive: true, force: true });
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      this.received.push(message);
      if (message.method === 'elicitation/create') void this.#reply(message);
    }
    this.#wake();
  }

  async #reply({ id, params }: Message): Promise<void> {
    const action = await this.#answer(params?.message ?? '');
    this.send({ id, result: { action } });
  }

  async #answer(question: string): Promise<string> {
    this.questions.push(question);
    this.#wake();
    const answer = this.#answers.shift() ?? 'decline';
    return typeof answer === 'string' ? answer : answer();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
