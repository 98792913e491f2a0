// A stand-in for the model of Claude Code: it asks for one tool call after the other, and keeps what came back. On loopback, without a
// network behind it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface MessagesServer {
  readonly url: string;
  /** What the model saw of each call, as text. */
  readonly results: readonly string[];
  close(): Promise<void>;
}

interface Block {
  readonly type: string;
  readonly content?: unknown;
}

interface Request {
  readonly model: string;
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly content: string | readonly Block[] }[];
}

export async function serveMessages(calls: readonly ToolCall[]): Promise<MessagesServer> {
  const results: string[] = [];
  const server = createServer((request, response) => {
    void answer(request, response, { calls, results });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    results,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Script {
  readonly calls: readonly ToolCall[];
  readonly results: string[];
}

async function answer(request: IncomingMessage, response: ServerResponse, script: Script): Promise<void> {
  const texts: Buffer[] = [];
  for await (const block of request) texts.push(block as Buffer);
  if (!request.url?.startsWith('/v1/messages') || request.url.includes('count_tokens')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
    return;
  }
  const asked = JSON.parse(Buffer.concat(texts).toString()) as Request;
  const results = asked.messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
  script.results.splice(0, script.results.length, ...results);
  const call = asked.tools === undefined ? undefined : script.calls[results.length];
  send(response, asked.model, call, results.length);
}

function send(response: ServerResponse, model: string, call: ToolCall | undefined, number: number): void {
  const event = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const stop_reason = call === undefined ? 'end_turn' : 'tool_use';
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model, content: [], usage };
  const [content_block, delta] =
    call === undefined
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: 'done' },
        ]
      : [
          { type: 'tool_use', id: `toolu_${number}`, name: call.name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
        ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  event('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } });
  event('content_block_start', { index: 0, content_block });
  event('content_block_delta', { index: 0, delta });
  event('content_block_stop', { index: 0 });
  event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  event('message_stop', {});
  response.end();
}
