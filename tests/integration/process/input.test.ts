// Input: in order, once per write id, answered when there is room, ended on request.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';

const base64 = (value: string | Buffer) => Buffer.from(value).toString('base64');

describe('process/write', () => {
  it('answers with a status, never an error, when there is nothing to write to', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const write = (processId: string) =>
      client.call('process/write', { processId, chunk: base64('x'), writeId: 'w' });
    expect(await write('nobody')).toEqual({ status: 'unknownProcess' });
    await client.start('closed', ['/bin/sleep', '20']);
    expect(await write('closed')).toEqual({ status: 'stdinClosed' });
    await client.start('gone', ['/bin/true'], { pipeStdin: true });
    await client.untilClosed('gone');
    expect(await write('gone')).toEqual({ status: 'stdinClosed' });
  });

  it('refuses bad base64, and a write id that is empty or too long', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    expect(await client.refusal('process/write', { processId: 'p', chunk: 'YQ=', writeId: '1' })).toEqual({
      code: -32602,
      message: 'Invalid padding',
    });
    expect(
      (await client.refusal('process/write', { processId: 'p', chunk: 'YQ==', writeId: '' })).message,
    ).toBe('writeId must not be empty');
    const write = (writeId: string) =>
      client.request('process/write', { processId: 'p', chunk: 'YQ==', writeId });
    expect((await write('x'.repeat(1025))).error).toEqual({
      code: -32602,
      message: 'writeId must not exceed 1024 characters',
    });
    expect((await write('x'.repeat(1024))).result).toEqual({ status: 'unknownProcess' });
  });

  it('keeps the order of pipelined writes and writes a repeated id once', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const replies = [client.start('p', ['/bin/cat'], { pipeStdin: true })];
    for (let i = 0; i < 300; i++) {
      replies.push(
        client.request('process/write', { processId: 'p', chunk: base64(`${i}\n`), writeId: `${i}` }),
      );
      if (i % 10 === 0)
        replies.push(
          client.request('process/write', { processId: 'p', chunk: base64(`${i}\n`), writeId: `${i}` }),
        );
    }
    replies.push(client.request('process/closeStdin', { processId: 'p' }));
    for (const { error } of await Promise.all(replies)) expect(error).toBeUndefined();
    await client.untilClosed('p');
    expect(client.bytesOf('p').toString()).toBe(Array.from({ length: 300 }, (_, i) => `${i}\n`).join(''));
    expect(await client.call('process/write', { processId: 'p', chunk: base64('x') })).toEqual({
      status: 'stdinClosed',
    });
  });

  it('is answered when there is room, and what may wait is bounded', async () => {
    const { client: connect } = await serve({
      process: { queuedInputBytesPerProcess: 100_000, waitingInputBytesPerSession: 500_000 },
    });
    const client = await connect();
    await client.start('p', shell('sleep 0.5; wc -c'), { pipeStdin: true });
    const chunk = base64(Buffer.alloc(50_000, 65));
    const statuses: unknown[] = [];
    const writes = Array.from({ length: 30 }, async (_, i) => {
      const { result, error } = await client.request('process/write', {
        processId: 'p',
        chunk,
        writeId: `${i}`,
      });
      statuses.push(result?.['status'] ?? error);
    });
    await client.request('environment/status', {});
    // The answers of one turn may be behind that of a later request; by the next round trip they are here.
    await client.request('environment/status', {});
    expect(statuses.find((status) => typeof status === 'object')).toEqual({
      code: -32600,
      message: 'more than 500000 bytes of input wait for processes that do not read them',
    });
    const waiting = 30 - statuses.length;
    expect(waiting).toBeGreaterThanOrEqual(9);
    expect(waiting).toBeLessThanOrEqual(11);
    await Promise.all(writes);
    await client.call('process/closeStdin', { processId: 'p' });
    await client.untilClosed('p');
    const accepted = statuses.filter((status) => status === 'accepted').length;
    expect(accepted).toBeGreaterThanOrEqual(10);
    expect(Number(client.bytesOf('p').toString())).toBe(accepted * 50_000);
  });

  it('does not hold up other requests, and terminate acts at once on a blocked child', async () => {
    const { client: connect } = await serve({ process: { queuedInputBytesPerProcess: 1000 } });
    const client = await connect();
    await client.start('p', ['/bin/sleep', '60'], { pipeStdin: true });
    const block = base64(Buffer.alloc(200_000, 65));
    const blocked = [1, 2, 3].map((i) =>
      client.request('process/write', { processId: 'p', chunk: block, writeId: `${i}` }),
    );
    const before = performance.now();
    expect((await client.request('environment/status', {})).result).toEqual({ status: 'ready' });
    expect(await client.call('process/terminate', { processId: 'p' })).toEqual({ running: true });
    await client.untilClosed('p');
    expect(performance.now() - before).toBeLessThan(5000);
    const statuses = (await Promise.all(blocked)).map(({ result }) => result?.['status']);
    expect(statuses).toEqual(['accepted', 'stdinClosed', 'stdinClosed']);
  });

  it('echoes on a pty, and closeStdin is an end of file there too', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', ['/bin/cat'], { tty: true });
    await client.call('process/write', { processId: 'p', chunk: base64('hello\n') });
    await client.until(() => client.bytesOf('p').toString() === 'hello\r\nhello\r\n');
    await client.call('process/closeStdin', { processId: 'p' });
    await client.untilClosed('p');
    expect(client.eventsOf('p').find(({ exitCode }) => exitCode !== undefined)?.exitCode).toBe(0);
  });
});

describe('input that background children of an ended command still read', () => {
  const background = async (script: string) => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell(`exec 3<&0; ${script}`), { pipeStdin: true });
    await client.untilExited('p');
    return client;
  };

  it('reaches them, and so does its end', async () => {
    const client = await background('{ cat; echo end; } <&3 & exit 0');
    expect(await client.call('process/write', { processId: 'p', chunk: base64('hello\n') })).toEqual({
      status: 'accepted',
    });
    await client.call('process/closeStdin', { processId: 'p' });
    await client.untilClosed('p');
    expect(client.bytesOf('p').toString()).toBe('hello\nend\n');
  });

  it('reaches them even after the last output was closed', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'input-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, 'taken');
    const client = await background(`{ cat; echo end; } <&3 >${file} 2>/dev/null & exit 0`);
    await client.untilClosed('p');
    await client.call('process/write', { processId: 'p', chunk: base64('hello\n') });
    await client.call('process/closeStdin', { processId: 'p' });
    await expect.poll(() => readFile(file, 'utf8')).toBe('hello\nend\n');
  });

  it('is refused when they do not read it', async () => {
    const client = await background('exec <&- 3<&-; sleep 20 & exit 0');
    // The launcher holds the reader's end for a moment after the start.
    const write = () => client.call('process/write', { processId: 'p', chunk: base64('x') });
    await expect.poll(write).toEqual({ status: 'stdinClosed' });
  });
});
