// The built program as an MCP server, with the official client at its other end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStdioChannel } from '@codex/exec-rpc/stdio';
import { Client, type ElicitResult, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

const APP = fileURLToPath(new URL('../../../../apps/codex/dist/codex.js', import.meta.url));

export type Era = 'handshake' | 'stateless';
export const ERAS: readonly Era[] = ['handshake', 'stateless'];

export interface McpProgramOptions {
  readonly era?: Era;
  /** The answer to every question; without it the client cannot be asked. */
  readonly answer?: (message: string) => ElicitResult | Promise<ElicitResult>;
}

export interface ToolAnswer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export class McpProgram implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'mcp-server-'));
  readonly questions: string[] = [];
  readonly child;
  readonly client: Client;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr = '';

  private constructor(flags: readonly string[], { era = 'handshake', answer }: McpProgramOptions) {
    this.child = spawn(process.execPath, [APP, 'mcp-server', '--cwd', this.folder, ...flags], {
      // What the user of this machine has in a profile is none of the tests'.
      env: { ...process.env, HOME: '/nonexistent' },
    });
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }));
    this.child.stderr.on('data', (block: Buffer) => {
      this.stderr += block.toString();
    });
    this.client = new Client(
      { name: 'test', version: '0' },
      {
        capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
        versionNegotiation: { mode: era === 'handshake' ? 'legacy' : { pin: '2026-07-28' } },
      },
    );
    if (answer === undefined) return;
    this.client.setRequestHandler('elicitation/create', ({ params }) => {
      this.questions.push(params.message);
      return answer(params.message);
    });
  }

  static async start(flags: readonly string[] = [], options: McpProgramOptions = {}): Promise<McpProgram> {
    const program = new McpProgram(flags, options);
    const { stdin, stdout } = program.child;
    await program.client.connect(lineTransport(createStdioChannel({ input: stdout, output: stdin })));
    return program;
  }

  async call(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: Parameters<Client['callTool']>[1] = {},
  ): Promise<ToolAnswer> {
    const { content, structuredContent, isError } = await this.client.callTool(
      { name, arguments: args },
      options,
    );
    const [block] = content;
    return {
      isError: isError ?? false,
      text: block?.type === 'text' ? block.text : '',
      data: structuredContent as ToolAnswer['data'],
    };
  }

  exec(cmd: string, more: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
    return this.call('exec_command', { cmd, login: false, ...more });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.stdin.end();
    await this.ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function lineTransport(channel: ReturnType<typeof createStdioChannel>): Transport {
  const transport: Transport = {
    start: async () =>
      channel.start({
        message: (text) => transport.onmessage?.(JSON.parse(text) as JSONRPCMessage),
        drained: () => undefined,
        closed: () => transport.onclose?.(),
      }),
    send: async (message) => channel.send(JSON.stringify(message)),
    close: async () => channel.close(),
  };
  return transport;
}

/** Processes whose command line has this word. */
export function running(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(word))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
