// A connection that breaks in the middle of a flood: within the recovery window nothing is lost and nothing comes
// twice; after it, what is missing is counted to the byte.
import { describe, expect, it } from 'vitest';
import { EventCollector, numberedDigest, numberedProducer } from '../process/support/numbered-output.js';
import { serve } from '../process/support/served-server.js';
import { times } from '../process/support/soak.js';
import { type ReadResult, recover, resume } from './support/recovering-client.js';

const MB = 1_000_000;
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a session that is cut in the middle of much output', () => {
  it.each([
    ['the usual amount', {}, 100],
    ['a megabyte', { retainedOutputBytesPerProcess: MB }, 30],
  ])(
    'delivers every byte once when it is resumed, however often it is cut, with %s kept',
    async (_, process, megabytes) => {
      const { client: connect } = await serve({ process });
      const collector = new EventCollector();
      let client = await connect();
      client.keepEvents = false;
      client.onEvent = (event) => collector.take(event);
      await client.start('p', numberedProducer(megabytes));
      const cuts = times({ usual: 8, soak: 40 });
      for (let cut = 1; cut <= cuts; cut++) {
        const mark = (cut * megabytes * MB) / (cuts + 1);
        await client.until(() => collector.bytes >= mark, 30_000);
        // Some cuts hit a client that has not read for a while, so that much is on its way when it breaks.
        if (cut % 2 === 0) {
          client.socket.pause();
          await sleep(100);
        }
        client.onEvent = undefined;
        client.cut();
        await sleep(cut % 3 === 0 ? 300 : 10);
        client = await resume(connect, client.sessionId);
        const result = await recover(client, collector);
        expect(result.omitted).toBeNull();
        expect(JSON.stringify(result).length).toBeLessThan(8 * 1024 * 1024);
      }
      await client.until(() => collector.isClosed, 55_000);
      expect(collector.bytes).toBe(megabytes * MB);
      expect(collector.digest()).toBe(numberedDigest(megabytes));
    },
    120_000,
  );

  it('tells to the byte what is missing when it is resumed too late', async () => {
    const megabytes = 30;
    const { client: connect } = await serve({
      process: { detachedStallMs: 300 },
      session: { sessionTtlMs: 20_000 },
    });
    const first = await connect();
    let before = 0;
    let lastSeq = 0;
    first.keepEvents = false;
    first.onEvent = ({ bytes, seq }) => {
      before += bytes?.length ?? 0;
      lastSeq = seq;
    };
    await first.start('p', numberedProducer(megabytes));
    await first.until(() => before >= 3 * MB);
    first.onEvent = undefined;
    first.cut();
    await sleep(2500);
    const second = await resume(connect, first.sessionId);
    second.keepEvents = false;
    let nextSeq = 0;
    let after = 0;
    let closed = false;
    second.onEvent = (event) => {
      expect(event.seq).toBe(nextSeq++);
      after += event.bytes?.length ?? 0;
      closed ||= event.method === 'process/closed';
    };
    const result = await second.call<ReadResult>('process/read', { processId: 'p', afterSeq: lastSeq });
    nextSeq = result.nextSeq;
    for (const { chunk } of result.chunks) after += Buffer.from(chunk, 'base64').length;
    expect(result.omitted).toMatchObject({ fromSeq: lastSeq + 1, toSeq: (result.chunks[0]?.seq ?? 0) - 1 });
    await second.until(() => closed || result.closed, 20_000);
    expect(before + (result.omitted?.bytes ?? 0) + after).toBe(megabytes * MB);
    expect(result.omitted?.bytes).toBeGreaterThan(10 * MB);
  });

  it('stalls a process that nobody listens to at its cap until the window is over', async () => {
    const { client: connect } = await serve({
      process: { detachedStallMs: 1500, retainedOutputBytesPerProcess: 2 * MB },
      session: { sessionTtlMs: 20_000 },
    });
    const first = await connect();
    await first.start('p', numberedProducer(20));
    await first.until(() => first.bytesOf('p').length > 0);
    first.cut();
    await sleep(800);
    const second = await resume(connect, first.sessionId);
    const { omitted, exited } = await second.call<ReadResult>('process/read', {
      processId: 'p',
      afterSeq: first.events.length,
    });
    expect({ omitted, exited }).toEqual({ omitted: null, exited: false });
    second.cut();
    await sleep(2500);
    const third = await resume(connect, first.sessionId);
    let hasExited = false;
    third.onEvent = ({ method }) => {
      hasExited ||= method === 'process/exited';
    };
    const late = await third.call<ReadResult>('process/read', { processId: 'p' });
    expect(late.omitted?.bytes).toBeGreaterThan(10 * MB);
    await third.until(() => hasExited);
  });
});
