// `localhost` is two addresses. What listens on one of them answers on both, or knows that somebody else does.
import { createServer, type Server } from 'node:net';
import { PageListener, WebSocketListener } from '@codex/exec-listener';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nextMessage, plainClient, startListener } from './support/listener-fixture.js';

/** Rejects where somebody listens, or where there is no such address. */
async function listenOn(host: string, port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  onTestFinished(() => void server.close());
  return server;
}

const hasIpv6 = await new Promise<boolean>((resolve) => {
  const trial = createServer();
  trial.once('error', () => resolve(false));
  trial.listen(0, '::1', () => trial.close(() => resolve(true)));
});
const echo = JSON.stringify({ id: 1, method: 'echo', params: { a: 1 } });

describe.skipIf(!hasIpv6)('a listener on a loopback address', () => {
  it.each([
    ['127.0.0.1', '[::1]', '::1'],
    ['localhost', '[::1]', '::1'],
    ['::1', '127.0.0.1', '127.0.0.1'],
    ['0:0:0:0:0:0:0:1', '127.0.0.1', '127.0.0.1'],
  ])('of %s serves %s too, and nobody else can', async (host, inUrl, other) => {
    const { listener, port, descriptions } = await startListener({ host });
    expect(listener.namesLeadHere).toBe(true);
    await expect(listenOn(other, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await expect(listenOn('::', port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    const client = await plainClient(`ws://${inUrl}:${port}`);
    client.send(echo);
    expect(JSON.parse(await nextMessage(client))).toMatchObject({ id: 1, result: { a: 1 } });
    // The same door: whose connection it is was looked up.
    expect(descriptions[0]).toMatchObject({ identity: `local:${process.getuid?.()}` });
    expect(descriptions[0]?.remoteAddress).toContain(inUrl);
  });

  it('gives both back at its end, connections of both included', async () => {
    const { listener, port } = await startListener();
    const clients = await Promise.all([
      plainClient(`ws://127.0.0.1:${port}`),
      plainClient(`ws://[::1]:${port}`),
    ]);
    const closed = clients.map((client) => new Promise((resolve) => client.once('close', resolve)));
    await listener.close(100);
    await Promise.all(closed);
    await listenOn('::1', port);
    await listenOn('127.0.0.1', port);
  });

  it('knows that another program has the other address', async () => {
    const thief = await listenOn('::1', 0);
    const { port } = thief.address() as { port: number };
    const { listener, url } = await startListener({ port });
    expect(listener.namesLeadHere).toBe(false);
    await plainClient(url);
  });

  it('is a listener of one address where names do not lead', async () => {
    const { listener, port } = await startListener({ host: '127.0.0.9' });
    expect(listener.namesLeadHere).toBe(false);
    await listenOn('::1', port);
  });

  it('does not start where its own address is taken, and leaves the other one alone', async () => {
    const first = await listenOn('127.0.0.1', 0);
    const { port } = first.address() as { port: number };
    const options = { host: '127.0.0.1', port, onChannel: () => undefined };
    await expect(WebSocketListener.listen(options)).rejects.toMatchObject({ code: 'LISTEN_FAILED' });
    await listenOn('::1', port);
  });

  it('serves its page on both', async () => {
    const listener = await PageListener.listen({
      host: '127.0.0.1',
      port: 0,
      path: '/metrics',
      page: () => 'page',
    });
    onTestFinished(() => listener.close());
    const other = listener.url.replace('127.0.0.1', '[::1]');
    for (const url of [listener.url, other]) expect(await (await fetch(url)).text()).toBe('page');
    await listener.close();
    await listenOn('::1', Number(new URL(other).port));
  });
});
