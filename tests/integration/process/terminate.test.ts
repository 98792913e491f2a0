// Ending processes, and the order of requests around a start.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';

describe('process/terminate', () => {
  it('kills at once by default and says whether there was something to kill', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell('trap "" TERM INT HUP; echo ready; while :; do sleep 0.05; done'));
    await client.until(() => client.bytesOf('p').includes('ready'));
    expect(await client.call('process/terminate', { processId: 'p' })).toEqual({ running: true });
    await client.untilClosed('p');
    expect(client.eventsOf('p').find(({ exitCode }) => exitCode !== undefined)?.exitCode).toBe(137);
    expect(await client.call('process/terminate', { processId: 'p' })).toEqual({ running: false });
    expect(await client.call('process/terminate', { processId: 'nobody' })).toEqual({ running: false });
  });

  it('asks first when it is graceful, and kills what does not listen when the time is up', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const mode = { type: 'graceful', timeoutMs: 1500 };
    await client.start(
      'polite',
      shell('trap "echo bye; exit 0" TERM; echo ready; while :; do sleep 0.05; done'),
    );
    await client.start('deaf', shell('trap "" TERM; echo ready; while :; do sleep 0.05; done'), {
      tty: true,
    });
    await client.until(() => ['polite', 'deaf'].every((id) => client.bytesOf(id).includes('ready')));
    const before = performance.now();
    for (const processId of ['polite', 'deaf'])
      expect(await client.call('process/terminate', { processId, mode })).toEqual({ running: true });
    await client.untilClosed('polite');
    expect(performance.now() - before).toBeLessThan(1400);
    expect(client.bytesOf('polite', 'stdout').toString()).toBe('ready\nbye\n');
    await client.untilClosed('deaf');
    expect(performance.now() - before).toBeGreaterThan(1490);
    expect(client.eventsOf('deaf').find(({ exitCode }) => exitCode !== undefined)?.exitCode).toBe(137);
  });

  it('takes effect in order when it is sent right behind the start', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const replies = await Promise.all([
      client.start('p', ['/bin/cat'], { pipeStdin: true }),
      client.request('process/write', { processId: 'p', chunk: 'aGk=', writeId: '1' }),
      client.request('process/read', { processId: 'p' }),
      client.request('process/terminate', { processId: 'p' }),
    ]);
    expect(replies.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
    expect(replies[1].result).toEqual({ status: 'accepted' });
    expect(replies[3].result).toEqual({ running: true });
    await client.untilClosed('p');
    const failing = await Promise.all([
      client.start('f', ['/nope']),
      client.request('process/write', { processId: 'f', chunk: 'aGk=', writeId: '1' }),
      client.request('process/read', { processId: 'f' }),
    ]);
    expect(failing[1].result).toEqual({ status: 'unknownProcess' });
    expect(failing[2].error?.message).toBe('unknown process id f');
  });
});

describe('process/start behind file changes', () => {
  it('sees every change that was sent before it', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const directory = await mkdtemp(join(tmpdir(), 'start-order-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const script = (round: number) =>
      Buffer.from(`#!/bin/sh\n: ${'x'.repeat(2_000_000)}\necho round ${round}\n`).toString('base64');
    for (let round = 0; round < 5; round++) {
      const path = join(directory, 'script');
      const processId = `p${round}`;
      const replies = await Promise.all([
        client.request('fs/writeFile', { path, dataBase64: script(round) }),
        client.start(processId, ['/bin/sh', path]),
      ]);
      expect(replies.map(({ error }) => error)).toEqual([undefined, undefined]);
      await client.untilClosed(processId);
      expect(client.bytesOf(processId).toString()).toBe(`round ${round}\n`);
    }
  });
});
