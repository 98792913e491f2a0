import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type Channel, RpcPeer } from '@codex/exec-rpc';
import { connectWebSocket, WebSocketChannel } from '@codex/exec-rpc/ws';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { closeCode, plainClient, rawSocket, startListener } from '../listener/support/listener-fixture.js';

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('connecting', () => {
  it('says that nothing listens', async () => {
    const server = createServer();
    const port = await portOf(server);
    await new Promise((resolve) => server.close(resolve));
    await expect(connectWebSocket(`ws://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'CONNECT_REFUSED',
      message: `nothing listens on ws://127.0.0.1:${port}`,
    });
  });

  it('says that a server speaks no TLS', async () => {
    const { port } = await startListener();
    await expect(connectWebSocket(`wss://127.0.0.1:${port}`)).rejects.toMatchObject({
      code: 'CONNECT_FAILED',
      message: `cannot connect to wss://127.0.0.1:${port}: it does not speak TLS; a server without it has a ws:// address`,
    });
  });

  it('gives up at its deadline and on abort, and closes the socket', async () => {
    let open = 0;
    const port = await portOf(
      createServer((socket) => {
        open++;
        socket.resume();
        socket.on('error', () => {});
        socket.once('close', () => open--);
      }),
    );
    const url = `ws://127.0.0.1:${port}`;
    await expect(connectWebSocket(url, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'CONNECT_TIMEOUT',
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    await expect(connectWebSocket(url, { signal: controller.signal })).rejects.toMatchObject({
      code: 'CONNECT_ABORTED',
    });
    await expect(connectWebSocket(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CONNECT_ABORTED',
    });
    await expect.poll(() => open).toBe(0);
  });

  it('says what the server is when it is no websocket server', async () => {
    const web = await portOf(
      createHttpServer((_request, response) => response.end('<h1>\u001b[31mhello</h1>')),
    );
    const error = await connectWebSocket(`ws://127.0.0.1:${web}`).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'CONNECT_NOT_A_WEBSOCKET', details: { status: 200 } });
    expect(String(error)).toContain('hello');
    expect(String(error)).not.toContain('\u001b');
    const noise = await portOf(createServer((socket) => void socket.end('220 mail ready\r\n')));
    await expect(connectWebSocket(`ws://127.0.0.1:${noise}`)).rejects.toMatchObject({
      code: 'CONNECT_NOT_A_WEBSOCKET',
    });
  });

  it.each(['nonsense', 'http://127.0.0.1:1', 'file:///x'])('refuses the address %s', async (url) => {
    await expect(connectWebSocket(url)).rejects.toMatchObject({ code: 'CONNECT_BAD_URL' });
  });

  it('keeps secrets of the address out of labels and errors', async () => {
    const { port } = await startListener();
    const channel = await connectWebSocket(`ws://user:pw@127.0.0.1:${port}/?token=secret`);
    expect(channel.label).toBe(`exec-server websocket ws://127.0.0.1:${port}`);
    channel.close();
    const error = await connectWebSocket(`ws://127.0.0.1:${port}/other?token=secret`).catch(
      (e: unknown) => e,
    );
    expect(String(error)).not.toContain('secret');
  });
});

describe('accepting', () => {
  it('loses nothing a client sends right behind its handshake', async () => {
    const { port } = await startListener();
    const socket = await rawSocket(port);
    const frame = (text: string) =>
      Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
    const head = [
      'GET / HTTP/1.1',
      'Host: localhost',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.write(
      Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), frame('{"id":1,"method":"a"}')]),
    );
    setImmediate(() => socket.write(frame('{"id":2,"method":"a"}')));
    await expect.poll(() => received).toContain('{"id":2,"result":null}');
    expect(received).toContain('{"id":1,"result":null}');
  });

  it('says which address it cannot have', async () => {
    const { port } = await startListener();
    await expect(startListener({ port })).rejects.toMatchObject({
      code: 'LISTEN_FAILED',
      message: `cannot listen on 127.0.0.1:${port}: a program listens there already; port 0 takes one that is free`,
    });
  });

  it('survives an owner that fails', async () => {
    const refusals: unknown[] = [];
    let broken = true;
    const { url, listener } = await startListener({
      onRefused: (refusal) => refusals.push(refusal),
      onChannel: () => {
        if (broken) throw new Error('no session left');
      },
    });
    const socket = await plainClient(url);
    expect(await closeCode(socket)).toBe(1011);
    expect(refusals).toMatchObject([{ status: 500, reason: 'no session left' }]);
    broken = false;
    await plainClient(url);
    expect(listener.connectionCount).toBe(1);
  });
});

describe('ending', () => {
  it('says 1001 to everybody, ends those who do not answer, and frees the port', async () => {
    const { listener, url } = await startListener();
    const polite = await plainClient(url);
    const deaf = await plainClient(url);
    deaf.pause();
    const code = closeCode(polite);
    const started = performance.now();
    await listener.close(300);
    expect(performance.now() - started).toBeLessThan(2500);
    expect(await code).toBe(1001);
    await expect(connectWebSocket(url)).rejects.toMatchObject({ code: 'CONNECT_REFUSED' });
    expect(listener.connectionCount).toBe(0);
  });

  it('delivers what was sent before the close, then the close', async () => {
    const { url } = await startListener(
      {},
      {
        onRequest: (request) => {
          request.afterReply(() => setImmediate(() => {}));
          return 'x'.repeat(3_000_000);
        },
      },
    );
    const client = new RpcPeer(await connectWebSocket(url), { onRequest: () => 1, onNotification: () => {} });
    expect(String(await client.call('big', {})).length).toBe(3_000_000);
    client.close(4001, 'over');
    expect(await client.closed).toMatchObject({ code: 4001, reason: 'over', clean: true });
  });

  it('is clean for the end that said goodbye, even when the other just drops the connection', async () => {
    const unread: Channel[] = [];
    // A channel that is not started reads nothing, so it does not answer the goodbye.
    const { url } = await startListener({ onChannel: (channel) => unread.push(channel) });
    const connect = async () =>
      new RpcPeer(await connectWebSocket(url), { onRequest: () => 1, onNotification: () => {} });
    const polite = await connect();
    const silent = await connect();
    polite.close(4000, 'done');
    await expect.poll(() => unread).toHaveLength(2);
    for (const channel of unread) if (channel instanceof WebSocketChannel) channel.terminate('rude');
    expect(await polite.closed).toEqual({ code: 4000, reason: 'done', clean: true });
    expect(await silent.closed).toMatchObject({ code: 1006, clean: false });
  });

  it('reports a connection that broke as not clean', async () => {
    const { url, peers } = await startListener();
    const socket = await plainClient(url);
    await expect.poll(() => peers).toHaveLength(1);
    socket.terminate();
    expect(await peers[0]?.closed).toMatchObject({ code: 1006, clean: false });
  });
});

describe('a runtime that hides the socket', () => {
  it('is refused at once, not when the time to connect is over', async () => {
    const { url } = await startListener();
    const emit = WebSocket.prototype.emit;
    // As Bun's own `ws` does it: the upgrade is told without a socket.
    const spy = vi.spyOn(WebSocket.prototype, 'emit').mockImplementation(function (
      this: WebSocket,
      name: string | symbol,
      ...values: unknown[]
    ) {
      return emit.call(this, name, ...(name === 'upgrade' ? [{ socket: null }] : values));
    });
    onTestFinished(() => spy.mockRestore());
    await expect(connectWebSocket(url)).rejects.toMatchObject({ code: 'CONNECT_NO_SOCKET' });
  });
});
