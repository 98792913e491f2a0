import { execFile } from 'node:child_process';
import { WebSocketListener } from '@codex/exec-listener';
import { capabilityTokenAuth, signedBearerAuth } from '@codex/exec-listener/auth';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it } from 'vitest';
import {
  closeCode,
  httpExchange,
  nextMessage,
  plainClient,
  startListener,
} from './support/listener-fixture.js';

const TOKEN = 'sekret-token-0123456789';

describe('http routes', () => {
  it('answer health checks, and nothing else, without a websocket', async () => {
    const { port } = await startListener({ auth: capabilityTokenAuth({ token: TOKEN }) });
    const get = (path: string) => httpExchange(port, { line: `GET ${path} HTTP/1.1` });
    expect(await get('/readyz')).toMatchObject({ status: 200, body: '' });
    expect(await get('/healthz?x=1')).toMatchObject({ status: 200, body: '' });
    expect(await get('/nope')).toMatchObject({ status: 404 });
    expect(await get('//')).toMatchObject({ status: 404 });
    expect(await get('http://evil.example/')).toMatchObject({ status: 404 });
    expect(await get('/')).toMatchObject({ status: 426 });
    expect(await httpExchange(port, { line: 'POST /readyz HTTP/1.1' })).toMatchObject({ status: 405 });
    expect(await httpExchange(port, { line: 'GET /readyz HTTP/1.1', upgrade: true })).toMatchObject({
      status: 200,
    });
    expect(await httpExchange(port, { line: 'GET /nope HTTP/1.1', upgrade: true })).toMatchObject({
      status: 404,
    });
  });

  it('open the websocket on / whatever the query', async () => {
    const { port } = await startListener();
    const reply = await httpExchange(port, { line: 'GET /?token=x HTTP/1.1', upgrade: true });
    expect(reply.status).toBe(101);
    expect(reply.head).not.toMatch(/sec-websocket-(extensions|protocol)/i);
  });

  it('refuse handshakes that are not websocket version 13', async () => {
    const { port } = await startListener();
    const headers = ['Connection: Upgrade', 'Upgrade: h2c'];
    expect((await httpExchange(port, { headers })).status).toBe(400);
    const old = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
    expect((await httpExchange(port, { headers: [...old, 'Sec-WebSocket-Version: 12'] })).status).toBe(400);
  });
});

describe('origin and host', () => {
  it.each(['https://evil.example', 'null', 'http://127.0.0.1', ''])(
    'refuse Origin %j everywhere',
    async (origin) => {
      const { port } = await startListener();
      const headers = [`Origin: ${origin}`];
      expect((await httpExchange(port, { headers, upgrade: true })).status).toBe(403);
      expect((await httpExchange(port, { headers, line: 'GET /readyz HTTP/1.1' })).status).toBe(403);
    },
  );

  it('let a listed origin in, with the token only', async () => {
    const auth = capabilityTokenAuth({ token: TOKEN });
    const { port } = await startListener({ auth, allowOrigins: ['https://app.example'] });
    const status = async (headers: string[]) => (await httpExchange(port, { headers, upgrade: true })).status;
    expect(await status(['Origin: https://app.example', `Authorization: Bearer ${TOKEN}`])).toBe(101);
    expect(await status(['Origin: https://app.example'])).toBe(401);
    expect(await status(['Origin: https://app.example.evil', `Authorization: Bearer ${TOKEN}`])).toBe(403);
    expect(await status(['Origin: null', `Authorization: Bearer ${TOKEN}`])).toBe(403);
  });

  it.each(['evil.example', '127.0.0.1.evil.example:80', 'localhost@evil.example', '127.0.0.1:99999'])(
    'refuse Host %j',
    async (host) => {
      const { port } = await startListener();
      expect((await httpExchange(port, { host, upgrade: true })).status).toBe(403);
      expect((await httpExchange(port, { host, line: 'GET /readyz HTTP/1.1' })).status).toBe(403);
    },
  );

  it('refuse a missing and a doubled Host', async () => {
    const { port } = await startListener();
    expect((await httpExchange(port, { host: null, upgrade: true })).status).toBeGreaterThanOrEqual(400);
    const headers = ['Host: evil.example'];
    expect((await httpExchange(port, { headers, upgrade: true })).status).toBeGreaterThanOrEqual(400);
  });

  it.each(['localhost', '[::1]:4', '192.168.0.1'])('let Host %j pass', async (host) => {
    const { port } = await startListener();
    expect((await httpExchange(port, { host, upgrade: true })).status).toBe(101);
  });
});

describe('authentication', () => {
  it('gives the exact answers to missing, wrong, empty, huge and almost right tokens', async () => {
    const { port, descriptions } = await startListener({ auth: capabilityTokenAuth({ token: TOKEN }) });
    const answer = async (...headers: string[]) => {
      const { status, body } = await httpExchange(port, { headers, upgrade: true });
      return `${status} ${body}`;
    };
    expect(await answer()).toBe('401 missing websocket bearer token');
    expect(await answer('Authorization: Bearer wrong')).toBe('401 invalid websocket bearer token');
    expect(await answer('Authorization: Bearer ')).toBe('401 invalid authorization header');
    expect(await answer(`Authorization: Bearer ${TOKEN}x`)).toBe('401 invalid websocket bearer token');
    expect(await answer(`Authorization: Basic ${TOKEN}`)).toBe('401 invalid authorization header');
    expect(await answer(`Authorization: Bearer ${'x'.repeat(1_000_000)}`)).toMatch(/^431/);
    expect(descriptions).toEqual([]);
    expect((await httpExchange(port, { line: `GET /?token=${TOKEN} HTTP/1.1`, upgrade: true })).status).toBe(
      401,
    );
    expect(await answer(`Authorization: bearer   ${TOKEN}`)).toMatch(/^101/);
    expect(descriptions).toMatchObject([{ identity: 'token' }]);
  });

  it('tells our client why it was refused', async () => {
    const { url } = await startListener({ auth: capabilityTokenAuth({ token: TOKEN }) });
    await expect(connectWebSocket(url)).rejects.toMatchObject({
      code: 'CONNECT_UNAUTHORIZED',
      message: expect.stringContaining('missing websocket bearer token'),
    });
    const channel = await connectWebSocket(url, { token: TOKEN });
    channel.close();
  });

  it('refuses an expired signed token', async () => {
    const auth = signedBearerAuth({ secret: '0123456789abcdef0123456789abcdef' });
    const { url } = await startListener({ auth });
    await expect(connectWebSocket(url, { token: 'a.b.c' })).rejects.toThrow('invalid websocket jwt');
  });

  it('is needed off loopback', async () => {
    const options = { host: '0.0.0.0', port: 0, onChannel: () => {} };
    await expect(WebSocketListener.listen(options)).rejects.toMatchObject({ code: 'LISTEN_NEEDS_AUTH' });
  });
});

describe('another user of this machine', () => {
  const uidOf = (name: string): Promise<string> =>
    new Promise((resolve, reject) =>
      execFile('id', ['-u', name], (error, stdout) =>
        error === null ? resolve(stdout.trim()) : reject(error),
      ),
    );
  // Only root can become another user; the unit tests of the gate cover the decision everywhere.
  const asRoot = process.getuid?.() === 0 && process.platform === 'linux';

  it('is recognised by name of our own user', async () => {
    const { url, descriptions } = await startListener();
    (await connectWebSocket(url)).close();
    const identity = process.platform === 'linux' ? `local:${process.getuid?.()}` : 'local';
    expect(descriptions).toMatchObject([
      { identity, remoteAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
    ]);
  });

  it.runIf(asRoot)(
    'is refused on IPv4, IPv6 and through a mapped address, and let in with the token',
    async () => {
      const uid = await uidOf('nobody');
      const handshake = (family: string, host: string, port: number, extra = ''): Promise<string> => {
        const program = [
          'import os, socket, sys',
          `os.setuid(${uid})`,
          `s = socket.socket(socket.${family}); s.connect(("${host}", ${port}))`,
          `s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n${extra}\\r\\n")`,
          'sys.stdout.write(s.recv(4096).decode())',
        ].join('\n');
        return new Promise((resolve, reject) =>
          execFile('python3', ['-c', program], (error, stdout) =>
            error === null ? resolve(stdout) : reject(error),
          ),
        );
      };
      const four = await startListener();
      expect(await handshake('AF_INET', '127.0.0.1', four.port)).toMatch(
        /^HTTP\/1.1 403.*belongs to another user$/s,
      );
      expect(await handshake('AF_INET6', '::ffff:127.0.0.1', four.port)).toMatch(/^HTTP\/1.1 403/);
      const six = await startListener({ host: '::1' });
      expect(await handshake('AF_INET6', '::1', six.port)).toMatch(/^HTTP\/1.1 403/);
      (await connectWebSocket(six.url)).close();
      const guarded = await startListener({ auth: capabilityTokenAuth({ token: TOKEN }) });
      const header = `Authorization: Bearer ${TOKEN}\\r\\n`;
      expect(await handshake('AF_INET', '127.0.0.1', guarded.port, header)).toMatch(/^HTTP\/1.1 101/);
      expect(four.descriptions).toEqual([]);
    },
  );

  it('a further opinion can refuse', async () => {
    const { url, port } = await startListener({
      screenPeer: async ({ socketInode }) => `no, ${typeof socketInode}`,
    });
    const expected = process.platform === 'linux' ? 'no, number' : 'no, undefined';
    expect(await httpExchange(port, { upgrade: true })).toMatchObject({ status: 403, body: expected });
    await expect(connectWebSocket(url)).rejects.toMatchObject({ code: 'CONNECT_FORBIDDEN' });
  });
});

describe('limits', () => {
  it('of connections are answered with 503 and freed by a close', async () => {
    const { url } = await startListener({ limits: { maxConnections: 2 } });
    const first = await plainClient(url);
    const second = await plainClient(url);
    await expect(connectWebSocket(url)).rejects.toThrow('too many connections (limit 2)');
    const closed = closeCode(first);
    first.close();
    await closed;
    const third = await plainClient(url);
    for (const socket of [second, third]) {
      socket.send('{"id":1,"method":"echo","params":1}');
      expect(await nextMessage(socket)).toBe('{"id":1,"result":1}');
    }
  });
});
