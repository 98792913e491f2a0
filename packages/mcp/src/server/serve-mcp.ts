// Serves MCP on a pair of streams, in whichever era the client opens the connection.

import type { Readable, Writable } from 'node:stream';
import { createStdioChannel } from '@codex/exec-rpc/stdio';
import { type JSONObject, Server, type Tool } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { protocolError } from './call-result.js';
import { ChannelTransport } from './channel-transport.js';
import type { JsonObject, McpServerDescription, McpTool, ProtocolEra } from './description.js';
import { ToolCalls } from './tool-calls.js';

export interface ServeMcpOptions {
  /** Default: those of this process. */
  readonly input?: Readable;
  readonly output?: Writable;
  /** What went wrong and is no answer to anything: a line that is no message, an answer to no question. */
  readonly onProblem?: (sentence: string) => void;
}

export interface McpConnection {
  /** Resolves when the connection has ended and every handler with it, or has had two seconds for that. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** The end of the input is a second and a bit away from the end of the program. */
const HANDLERS_MAY_TAKE_MS = 2_000;

export function serveMcp(description: McpServerDescription, options: ServeMcpOptions = {}): McpConnection {
  const { input = process.stdin, output = process.stdout, onProblem = () => undefined } = options;
  const channel = createStdioChannel({ input, output, label: 'MCP stdio', onBadLine: onProblem });
  const transport = new ChannelTransport(channel, onProblem);
  const calls = new Set<ToolCalls>();
  const served = serveStdio(
    ({ era }) => {
      const { server, toolCalls } = serverOf(description, era === 'modern' ? 'stateless' : 'handshake');
      server.onerror = (error) => onProblem(error.message);
      calls.add(toolCalls);
      return server;
    },
    { transport, onerror: (error) => onProblem(error.message) },
  );
  const closed = transport.ended.then(async () => {
    await Promise.race([Promise.all([...calls].map((each) => each.close())), pause(HANDLERS_MAY_TAKE_MS)]);
  });
  return {
    closed,
    close: async () => {
      await served.close();
      await closed;
    },
  };
}

function serverOf(description: McpServerDescription, era: ProtocolEra) {
  const { name, version, title, instructions, experimental, tools, methods = {} } = description;
  const server = new Server(
    { name, version, ...(title === undefined ? {} : { title }) },
    {
      capabilities: {
        tools: {},
        ...(experimental === undefined ? {} : { experimental: toJson(experimental) }),
      },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  const toolCalls = new ToolCalls(server, tools, era);
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(toolEntry) }));
  server.setRequestHandler('tools/call', (request, context) => toolCalls.call(request, context));
  for (const [method, answer] of Object.entries(methods)) {
    server.setRequestHandler(method, { params: ANY_OBJECT }, async (params) => {
      try {
        return { ...(await answer(objectOf(params))) };
      } catch (error) {
        throw protocolError(error);
      }
    });
  }
  return { server, toolCalls };
}

function toolEntry({ name, title, description, inputSchema, outputSchema, annotations }: McpTool): Tool {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' },
    ...(title === undefined ? {} : { title }),
    ...(outputSchema === undefined ? {} : { outputSchema: { ...outputSchema, type: 'object' as const } }),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

/** The handlers of our own methods check what they get. */
const ANY_OBJECT = {
  '~standard': { version: 1 as const, vendor: 'codex', validate: (value: unknown) => ({ value }) },
};

function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function toJson(experimental: Readonly<Record<string, JsonObject>>): Record<string, JSONObject> {
  return JSON.parse(JSON.stringify(experimental)) as Record<string, JSONObject>;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
