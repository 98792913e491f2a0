// A model that follows a script: each tool call is a function that sends it to the CLI and resolves with what the CLI
// gives back to the model. Everything the model sees is recorded.
import { type Item, type ModelRequest, ResponsesServer } from './responses-server.js';

export interface ExecCommandArguments {
  readonly cmd: string;
  readonly tty?: boolean;
  readonly workdir?: string;
  readonly yield_time_ms?: number;
  readonly max_output_tokens?: number;
  readonly login?: boolean;
  /** Asks the user to let the command out of its sandbox. */
  readonly sandbox_permissions?: 'require_escalated';
  readonly justification?: string;
}

/** What the CLI hands to a model for one call: text, or content items (an image). */
export type ToolOutput = string | readonly Item[];

export interface Exchange {
  readonly tool: string;
  readonly input: unknown;
  readonly output: ToolOutput;
}

export type Script = (model: ScriptedModel) => Promise<void>;

export class ScriptedModel {
  readonly exchanges: Exchange[] = [];
  /** The conversation as it stands before the first answer: instructions, AGENTS.md, skills, environment, prompt. */
  opening: readonly Item[] = [];
  /** Settles with the script; rejects when the CLI ends first. */
  readonly finished: Promise<void>;
  readonly #server: ResponsesServer;
  readonly #requests: RequestQueue;
  #current: ModelRequest | undefined;
  #calls = 0;

  private constructor(server: ResponsesServer, requests: RequestQueue, script: Script) {
    this.#server = server;
    this.#requests = requests;
    this.finished = this.#play(script);
    this.finished.catch(() => {});
  }

  static async start(script: Script): Promise<ScriptedModel> {
    const requests = new RequestQueue();
    const server = await ResponsesServer.start((request) => requests.push(request));
    return new ScriptedModel(server, requests, script);
  }

  get baseUrl(): string {
    return this.#server.baseUrl;
  }

  /** Ends a script that still waits for the CLI. */
  abandon(reason: Error): void {
    this.#requests.fail(reason);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async exec(command: string | ExecCommandArguments): Promise<string> {
    const input = typeof command === 'string' ? { cmd: command } : command;
    return asText(await this.#callOne(functionCall('exec_command', input)));
  }

  /** Several commands in one answer of the model; the CLI runs them side by side. */
  async execAll(commands: readonly string[]): Promise<string[]> {
    const outputs = await this.#call(commands.map((cmd) => functionCall('exec_command', { cmd })));
    return outputs.map(asText);
  }

  /** Writes to a session, or polls it with empty `chars`. */
  async write(sessionId: number, chars: string, yieldTimeMs = 1_000): Promise<string> {
    const input = { session_id: sessionId, chars, yield_time_ms: yieldTimeMs };
    return asText(await this.#callOne(functionCall('write_stdin', input)));
  }

  /** Any call, with its arguments as the text that the model wrote. */
  async say(name: string, argumentsText: string): Promise<string> {
    return asText(await this.#callOne({ type: 'function_call', name, arguments: argumentsText }));
  }

  async patch(patch: string): Promise<string> {
    return asText(await this.#callOne({ type: 'custom_tool_call', name: 'apply_patch', input: patch }));
  }

  viewImage(path: string): Promise<ToolOutput> {
    return this.#callOne(functionCall('view_image', { path }));
  }

  /** A tool of an MCP server. */
  tool(namespace: string, name: string, input: object): Promise<ToolOutput> {
    return this.#callOne({ ...functionCall(name, input), namespace });
  }

  async #play(script: Script): Promise<void> {
    this.#current = await this.#requests.next();
    this.opening = this.#current.input;
    await script(this);
    const content = [{ type: 'output_text', text: 'done' }];
    this.#current.respond([{ type: 'message', role: 'assistant', id: 'msg_done', content }]);
  }

  async #callOne(item: Item): Promise<ToolOutput> {
    const [output] = await this.#call([item]);
    if (output === undefined) throw new Error('the CLI returned no output for the call');
    return output;
  }

  async #call(items: readonly Item[]): Promise<ToolOutput[]> {
    const calls = items.map((item) => ({ ...item, call_id: `call${++this.#calls}` }));
    this.#current?.respond(calls);
    this.#current = await this.#requests.next();
    const { input } = this.#current;
    return calls.map((call) => {
      const result = input.find((item) => item.type.endsWith('_output') && item['call_id'] === call.call_id);
      if (result === undefined) throw new Error(`the CLI returned no output for ${JSON.stringify(call)}`);
      const output = result['output'] as ToolOutput;
      const { name, arguments: args, input: text } = call as Record<string, unknown>;
      this.exchanges.push({ tool: String(name), input: args ?? text, output });
      return output;
    });
  }
}

function functionCall(name: string, input: object): Item {
  return { type: 'function_call', name, arguments: JSON.stringify(input) };
}

function asText(output: ToolOutput): string {
  if (typeof output !== 'string') throw new Error(`expected text, got ${JSON.stringify(output)}`);
  return output;
}

/** Requests that no test has taken yet, or the test that waits for the next one. */
class RequestQueue {
  readonly #waiting: ModelRequest[] = [];
  #taker: { resolve(request: ModelRequest): void; reject(reason: Error): void } | undefined;
  #failure: Error | undefined;

  push(request: ModelRequest): void {
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker === undefined) this.#waiting.push(request);
    else taker.resolve(request);
  }

  fail(reason: Error): void {
    this.#failure = reason;
    this.#taker?.reject(reason);
  }

  next(): Promise<ModelRequest> {
    const request = this.#waiting.shift();
    if (request !== undefined) return Promise.resolve(request);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#taker = { resolve, reject };
    });
  }
}
