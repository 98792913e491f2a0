// A client that does not read stalls its own processes and nothing else; nothing it has not read is lost.
import { describe, expect, it } from 'vitest';
import { EventCollector, numberedDigest, numberedProducer, rawTerminal } from './support/numbered-output.js';
import { residentBytes, survivorsWith } from './support/ps.js';
import { shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';
import { spawnServer } from './support/server-process.js';
import { times } from './support/soak.js';

const MB = 1_000_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const endless = shell('while :; do echo "0123456789012345678901234567890123456789"; done');

describe('output to a reader that stops', () => {
  it.each([
    { on: 'a pipe', tty: false, megabytes: 300 },
    { on: 'a pty', tty: true, megabytes: times({ usual: 60, soak: 300 }) },
  ])(
    'costs the server less than 64 MB and arrives whole: $megabytes MB on $on',
    async ({ tty, megabytes }) => {
      const server = await spawnServer();
      const client = await server.client();
      await server.collectGarbage();
      const before = residentBytes(server.pid);
      const collector = new EventCollector();
      client.keepEvents = false;
      client.onEvent = (event) => collector.take(event);
      let peak = 0;
      const sample = setInterval(() => {
        peak = Math.max(peak, residentBytes(server.pid));
      }, 50);
      const argv = numberedProducer(megabytes);
      await client.start('p', tty ? rawTerminal(argv) : argv, { tty });
      client.socket.pause();
      await sleep(1500);
      const stalled = residentBytes(server.pid) - before;
      client.socket.resume();
      await client.until(() => collector.isClosed, 55_000);
      clearInterval(sample);
      expect(collector.bytes).toBe(megabytes * MB);
      expect(collector.digest()).toBe(numberedDigest(megabytes));
      expect(stalled).toBeLessThan(64 * MB);
      expect(peak - before).toBeLessThan(64 * MB);
    },
  );
});

describe('a command that ends while it is stalled', () => {
  it.each([false, true])('has all of its output before its exit (tty: %s)', async (tty) => {
    const { client: connect } = await serve({ process: { unsentOutputBytesPerProcess: 64 * 1024 } });
    const client = await connect();
    const bulk = numberedProducer(20);
    client.socket.pause();
    // The first fills the connection, so that the second one's output has nowhere to go.
    void client.start('bulk', bulk);
    void client.start('p', shell('sleep 0.5; head -c 100000 /dev/zero; exit 3'), { tty });
    await sleep(1000);
    client.socket.resume();
    await client.untilClosed('p');
    const events = client.eventsOf('p').map(({ method }) => method);
    expect(client.bytesOf('p').length).toBe(100_000);
    expect(events.slice(-2)).toEqual(['process/exited', 'process/closed']);
  });
});

describe('a client that does not read', () => {
  it('has its terminate acted upon at once, and other clients do not notice it', async () => {
    const { client: connect } = await serve();
    const [stuck, other] = [await connect(), await connect()];
    const marker = `STUCK_TEST=${process.pid}-${Date.now()}`;
    const env = { PATH: '/usr/bin:/bin', STUCK_TEST: marker.slice(11) };
    const ids = Array.from({ length: 5 }, (_, i) => `p${i}`);
    for (const [i, id] of ids.entries()) await stuck.start(id, endless, { tty: i % 2 === 1, env });
    stuck.socket.pause();
    await sleep(500);
    const before = performance.now();
    await other.start('q', ['/bin/true']);
    await other.untilClosed('q');
    expect(performance.now() - before).toBeLessThan(3000);
    expect(survivorsWith(marker).length).toBe(5);
    for (const processId of ids) void stuck.request('process/terminate', { processId });
    await expect.poll(() => survivorsWith(marker), { timeout: 3000, interval: 20 }).toEqual([]);
    stuck.socket.resume();
    for (const id of ids) {
      await stuck.untilClosed(id);
      const seqs = stuck.eventsOf(id).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
  });
});

describe('a client that asks for much at once, and reads', () => {
  it('has an answer to each of 45 large reads that were sent in one go', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    client.keepEvents = false;
    await client.start('p', shell('head -c 7500000 /dev/zero'));
    await client.call('process/wait', { processId: 'p', until: 'closed' });
    const reads = Array.from({ length: 45 }, () =>
      client.call('process/read', { processId: 'p', afterSeq: 0 }).then(() => 'answered'),
    );
    expect(await Promise.all(reads)).toEqual(Array<string>(45).fill('answered'));
  });
});
