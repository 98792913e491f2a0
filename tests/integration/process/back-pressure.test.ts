// A client that does not read stalls its own processes and nothing else; nothing it has not read is lost.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { residentBytes } from './ps.js';
import { shell } from './raw-client.js';
import { serve } from './served-server.js';
import { spawnServer } from './server-process.js';

const MB = 1_000_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const endless = shell('while :; do echo "0123456789012345678901234567890123456789"; done');

/** Bytes that differ everywhere, so that a loss, a repeat or a swap changes the digest. */
const producer = (megabytes: number) => [
  process.execPath,
  '-e',
  `const b=Buffer.alloc(1e6);let n=0;const f=()=>{for(let i=0;i<b.length;i+=4)b.writeUInt32LE(n++,i)};
   const w=(k)=>{if(k===0)return;f();process.stdout.write(b,()=>w(k-1))};w(${megabytes})`,
];

function expectedDigest(megabytes: number): string {
  const hash = createHash('sha256');
  const block = Buffer.alloc(MB);
  for (let count = 0, n = 0; count < megabytes; count++) {
    for (let i = 0; i < MB; i += 4) block.writeUInt32LE(n++, i);
    hash.update(block);
  }
  return hash.digest('hex');
}

describe('300 MB of output to a reader that stops', () => {
  it.each([
    ['a pipe', false],
    ['a pty', true],
  ])('cost the server less than 64 MB and arrive whole, on %s', async (_, tty) => {
    const megabytes = 300;
    const server = await spawnServer();
    const client = await server.client();
    await server.collectGarbage();
    const before = residentBytes(server.pid);
    const hash = createHash('sha256');
    let bytes = 0;
    let nextSeq = 1;
    let closed = false;
    let peak = 0;
    client.keepEvents = false;
    client.onEvent = (event) => {
      expect(event.seq).toBe(nextSeq++);
      if (event.bytes !== undefined) {
        hash.update(event.bytes);
        bytes += event.bytes.length;
      }
      if (event.method === 'process/closed') closed = true;
    };
    const sample = setInterval(() => {
      peak = Math.max(peak, residentBytes(server.pid));
    }, 50);
    const argv = tty
      ? ['/bin/sh', '-c', 'stty raw; exec "$0" "$@"', ...producer(megabytes)]
      : producer(megabytes);
    await client.start('p', argv, { tty });
    client.socket.pause();
    await sleep(1500);
    const stalled = residentBytes(server.pid) - before;
    client.socket.resume();
    await client.until(() => closed, 50_000);
    clearInterval(sample);
    expect(bytes).toBe(megabytes * MB);
    expect(hash.digest('hex')).toBe(expectedDigest(megabytes));
    process.stderr.write(
      `stalled +${(stalled / MB).toFixed(1)} MB, peak +${((peak - before) / MB).toFixed(1)} MB\n`,
    );
    expect(stalled).toBeLessThan(64 * MB);
    expect(peak - before).toBeLessThan(64 * MB);
  });
});

describe('a client that does not read', () => {
  it('has its terminate acted upon at once, and other clients do not notice it', async () => {
    const { client: connect } = await serve();
    const [stuck, other] = [await connect(), await connect()];
    for (let i = 0; i < 5; i++) await stuck.start(`p${i}`, endless, { tty: i % 2 === 1 });
    stuck.socket.pause();
    await sleep(500);
    const before = performance.now();
    await other.start('q', ['/bin/true']);
    await other.untilClosed('q');
    expect(performance.now() - before).toBeLessThan(500);
    const pidOf = async () => {
      const { stdout } = await run(other, `pgrep -f 012345678901234567890 | wc -l`);
      return Number(stdout);
    };
    expect(await pidOf()).toBeGreaterThanOrEqual(5);
    for (let i = 0; i < 5; i++) void stuck.request('process/terminate', { processId: `p${i}` });
    await expect.poll(pidOf, { timeout: 1000, interval: 50 }).toBeLessThanOrEqual(1);
    stuck.socket.resume();
    for (let i = 0; i < 5; i++) await stuck.untilClosed(`p${i}`);
    for (let i = 0; i < 5; i++) {
      const seqs = stuck.eventsOf(`p${i}`).map(({ seq }) => seq);
      expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    }
  });
});

async function run(client: Awaited<ReturnType<Awaited<ReturnType<typeof serve>>['client']>>, script: string) {
  const processId = `run ${Math.random()}`;
  await client.start(processId, shell(script));
  await client.untilClosed(processId);
  return { stdout: client.bytesOf(processId, 'stdout').toString() };
}
