// An MCP server over streamable HTTP with one tool, `whisper`, whose answer comes as an event stream in pieces.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const TOOL = {
  name: 'whisper',
  description: 'Says it softly',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly text: string } };
}

export class HttpToolServer {
  readonly url: string;
  /** The values of the header `x-mark`, as they came. */
  readonly marks = new Set<string>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  static async start(): Promise<HttpToolServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const tools = new HttpToolServer(server);
    server.on('request', (request, response) => void tools.#answer(request, response));
    return tools;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const blocks: Buffer[] = [];
    for await (const block of request) blocks.push(block as Buffer);
    this.marks.add(String(request.headers['x-mark']));
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const call = JSON.parse(Buffer.concat(blocks).toString('utf8')) as Call;
    if (call.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 'one' });
    const event = `data: ${JSON.stringify({ jsonrpc: '2.0', id: call.id, result: resultOf(call) })}\n\n`;
    for (let at = 0; at < event.length; at += 4_096) {
      response.write(event.slice(at, at + 4_096));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  }
}

function resultOf({ method, params }: Call): unknown {
  if (method === 'initialize') {
    const serverInfo = { name: 'whispering', version: '1' };
    return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: [TOOL] };
  if (method !== 'tools/call') return {};
  return { content: [{ type: 'text', text: `${params?.arguments?.text} `.repeat(2_000).toLowerCase() }] };
}
