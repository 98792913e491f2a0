// Connections that die without a word, in one direction or in both: each end finds out by itself or hears it from the
// other, the client comes back, and nothing is lost and nothing comes twice.
import { type ConnectionEvent, ExecServerClient } from '@codex/exec-client';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawClient } from '../process/support/raw-client.js';
import { serve } from '../process/support/served-server.js';
import { times } from '../process/support/soak.js';
import { type Direction, swallowingProxy } from './support/swallowing-proxy.js';

const KEEPALIVE = { pingIntervalMs: 100, pongTimeoutMs: 400 };
const DEATHS = times({ usual: 2, soak: 20 });
const DIRECTIONS: readonly Direction[] = ['to the client', 'to the server', 'both ways'];
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function connect(url: string) {
  const proxy = await swallowingProxy(url);
  const events: ConnectionEvent['type'][] = [];
  const client = await ExecServerClient.connect(
    { channel: () => connectWebSocket(proxy.url, { keepalive: KEEPALIVE }) },
    { onEvent: ({ type }) => void events.push(type) },
  );
  onTestFinished(() => client.close());
  const deaths = () => events.filter((type) => type === 'reconnected').length;
  /** Lets the connection die at some moment, and waits until the client is back. */
  const die = async (direction: Direction) => {
    await sleep(20 + Math.random() * 300);
    const before = deaths();
    proxy.swallow(direction);
    await expect.poll(deaths, { timeout: 20_000, interval: 20 }).toBeGreaterThan(before);
  };
  return { client, die };
}

describe.each(DIRECTIONS)('a connection that swallows what goes %s', (direction) => {
  it('loses no output and doubles none', async () => {
    const { url } = await serve({ session: { takeoverProbeMs: 200 } }, KEEPALIVE);
    const { client, die } = await connect(url);
    const process = await client.spawn(
      'n=0; while :; do seq $n $((n+4999)); n=$((n+5000)); sleep 0.005; done',
    );
    const lines: string[] = [];
    const reading = (async () => {
      for await (const line of process.stdout.lines()) lines.push(line);
    })();
    for (let death = 0; death < DEATHS; death++) await die(direction);
    await process.terminate();
    await reading;
    expect(lines.length).toBeGreaterThan(5000);
    const firstWrong = lines.findIndex((line, index) => line !== String(index));
    // The last line may be cut off by the end of the command.
    expect(firstWrong === -1 || firstWrong === lines.length - 1).toBe(true);
  }, 60_000);

  it('loses no input and doubles none', async () => {
    const { url } = await serve({ session: { takeoverProbeMs: 200 } }, KEEPALIVE);
    const { client, die } = await connect(url);
    const process = await client.spawn('cat', { stdin: 'pipe' });
    const over = new AbortController();
    let sent = '';
    const writing = (async () => {
      for (let index = 0; !over.signal.aborted; index++) {
        const line = `${index}:${'x'.repeat(index % 3000)}\n`;
        sent += line;
        await process.stdin.write(line);
      }
      await process.stdin.end();
    })();
    let received = '';
    const reading = (async () => {
      for await (const text of process.stdout.text()) received += text;
    })();
    for (let death = 0; death < DEATHS; death++) await die(direction);
    over.abort();
    await Promise.all([writing, reading]);
    expect(received.length).toBe(sent.length);
    expect(received === sent).toBe(true);
  }, 60_000);

  it('is found by the server alone, and the session waits', async () => {
    const { url } = await serve({}, KEEPALIVE);
    const proxy = await swallowingProxy(url);
    const client = await RawClient.connect(proxy.url);
    await client.initialize();
    await client.start('p', ['/bin/sh', '-c', 'sleep 1; echo late; sleep 60']);
    await sleep(500);
    proxy.swallow(direction);
    // This client asks nothing for itself; where it can be heard it goes on to send.
    const asking = setInterval(() => client.socket.ping(), 50);
    onTestFinished(() => clearInterval(asking));
    await sleep(1400);
    const next = await RawClient.connect(url);
    onTestFinished(() => next.cut());
    // A holder that is still there would be asked, and one that is heard would keep the session.
    await next.initialize({ resumeSessionId: client.sessionId });
    const { chunks } = await next.call<{ chunks: { chunk: string }[] }>('process/read', {
      processId: 'p',
      afterSeq: 0,
    });
    expect(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64').toString())).toEqual(['late\n']);
  }, 30_000);
});

describe('a connection that lives', () => {
  it('is kept while a slow reader takes much, and while its client stops for less than the time', async () => {
    const { client: open } = await serve({}, { pingIntervalMs: 200, pongTimeoutMs: 800 });
    const client = await open();
    let bytes = 0;
    client.keepEvents = false;
    client.onEvent = (event) => {
      bytes += event.bytes?.length ?? 0;
    };
    await client.start('p', ['/bin/sh', '-c', 'head -c 8000000 /dev/zero; sleep 60']);
    // 64 KiB every 100 ms or so: the window of four megabytes takes it six seconds.
    for (let round = 0; round < 60; round++) {
      client.socket.resume();
      await new Promise((resolve) => setImmediate(resolve));
      client.socket.pause();
      await sleep(50);
    }
    client.socket.resume();
    await client.until(() => bytes === 8_000_000, 20_000);
    expect(await client.call('environment/status', null)).toBeDefined();
  }, 30_000);

  it('is kept for longer when its client cannot come back and stops', async () => {
    const { client: open } = await serve({}, { pingIntervalMs: 50, pongTimeoutMs: 200 });
    const [plain, resumable] = [await open({}), await open()];
    for (const { socket } of [plain, resumable]) socket.pause();
    await sleep(800);
    for (const { socket } of [plain, resumable]) socket.resume();
    expect(await plain.call('environment/status', null)).toBeDefined();
    expect((await resumable.closed).code).toBe(1006);
  });
});
