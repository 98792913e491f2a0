// A loopback stand-in for the Responses API: hands every request of the CLI to its owner, who answers with output items.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An item of the conversation, in either direction; only its `type` is common to all. */
export interface Item {
  readonly type: string;
  readonly [member: string]: unknown;
}

export interface ModelRequest {
  readonly input: readonly Item[];
  /** Streams the items as one complete response. */
  respond(items: readonly Item[]): void;
}

export class ResponsesServer {
  readonly baseUrl: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  static async start(onRequest: (request: ModelRequest) => void): Promise<ResponsesServer> {
    const server = createServer((request, response) => {
      if (request.method === 'POST' && request.url === '/v1/responses') {
        void readBody(request).then((body) => onRequest(modelRequest(body, response)));
      } else {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ResponsesServer(server);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

let responses = 0;

function modelRequest(body: string, response: ServerResponse): ModelRequest {
  const { input } = JSON.parse(body) as { input: Item[] };
  return {
    input,
    respond(items) {
      const id = `resp_${++responses}`;
      const send = (event: Item) =>
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send({ type: 'response.created', response: { id } });
      items.forEach((item, index) => {
        send({ type: 'response.output_item.done', output_index: index, item });
      });
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      send({ type: 'response.completed', response: { id, usage } });
      response.end();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const blocks: Buffer[] = [];
  for await (const block of request) blocks.push(block as Buffer);
  return Buffer.concat(blocks).toString('utf8');
}
