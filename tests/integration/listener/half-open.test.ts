import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it } from 'vitest';
import { plainClient, rawSocket, startListener } from './support/listener-fixture.js';

describe('half-open connections', () => {
  it('do not stop service, whether silent or slow with their headers', async () => {
    const { url, port } = await startListener({ limits: { maxHalfOpen: 64 } });
    const sockets = await Promise.all(Array.from({ length: 200 }, () => rawSocket(port)));
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    }
    const started = performance.now();
    for (let round = 0; round < 5; round++) (await connectWebSocket(url, { timeoutMs: 3000 })).close();
    expect(performance.now() - started).toBeLessThan(3000);
    const gone = () => sockets.filter((socket) => socket.destroyed || socket.readableEnded).length;
    for (const socket of sockets) socket.resume();
    await expect.poll(() => gone()).toBeGreaterThanOrEqual(200 - 64);
  });

  it('are dropped after the handshake timeout even when bytes trickle in; websockets are not', async () => {
    const { url, port } = await startListener({ limits: { handshakeTimeoutMs: 400 } });
    const client = await plainClient(url);
    const slow = await rawSocket(port);
    const closed = new Promise<number>((resolve) => {
      const started = performance.now();
      slow.resume();
      slow.once('close', () => resolve(performance.now() - started));
    });
    slow.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    const trickle = setInterval(() => slow.write('X-A: b\r\n'), 50);
    const took = await closed;
    clearInterval(trickle);
    expect(took).toBeLessThan(3000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(client.readyState).toBe(client.OPEN);
  });
});
