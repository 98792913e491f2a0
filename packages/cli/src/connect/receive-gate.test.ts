import { createInMemoryChannelPair } from '@codex/exec-rpc';
import { describe, expect, it } from 'vitest';
import { ReceiveGate } from './receive-gate.js';

const MIB = 1024 * 1024;
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function open(mayPause: () => boolean) {
  const [server, inner] = createInMemoryChannelPair();
  const gate = new ReceiveGate(mayPause);
  const channel = gate.wrap(inner);
  const received: number[] = [];
  const ignore = (): void => undefined;
  channel.start({ message: (text) => received.push(text.length), drained: ignore, closed: ignore });
  server.start({ message: ignore, drained: ignore, closed: ignore });
  return { server, gate, channel, received };
}

describe('ReceiveGate', () => {
  it('stops reading while too much was not passed on, and goes on when it was', async () => {
    const { server, gate, received } = open(() => true);
    for (let count = 0; count < 20; count++) server.send('x'.repeat(MIB));
    await turn();
    expect(received.length).toBe(9);
    expect(server.bufferedBytes).toBe(11 * MIB);
    gate.taken(6 * MIB);
    await turn();
    expect(received.length).toBeGreaterThan(9);
    expect(received.length).toBeLessThan(20);
    for (let count = 0; count < 5; count++) {
      gate.caughtUp();
      await turn();
    }
    expect(received.length).toBe(20);
  });

  it('stops nothing while the reader waits for more, which may be behind it', async () => {
    const { server, gate, received } = open(() => true);
    gate.caughtUp();
    for (let count = 0; count < 20; count++) server.send('x'.repeat(MIB));
    for (let count = 0; count < 5; count++) await turn();
    expect(received.length).toBe(20);
    gate.busy();
    for (let count = 0; count < 20; count++) server.send('x'.repeat(MIB));
    for (let count = 0; count < 5; count++) await turn();
    expect(received.length).toBeLessThan(40);
  });

  it('never stops what must not wait', async () => {
    const { server, received } = open(() => false);
    for (let count = 0; count < 20; count++) server.send('x'.repeat(MIB));
    await turn();
    expect(received.length).toBe(20);
  });

  it("keeps the peer's own pause", async () => {
    const { server, gate, channel, received } = open(() => true);
    channel.pause();
    server.send('x');
    gate.caughtUp();
    await turn();
    expect(received).toEqual([]);
    channel.resume();
    await turn();
    expect(received).toEqual([1]);
  });
});
