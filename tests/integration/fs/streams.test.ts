import {
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { base64, eventually, type FsClient, makeFifo, setUp } from './support/fs-fixture.js';

const BLOCK = 1024 * 1024;

/** Descriptors of this process, where the server runs, that are open on a file. */
function countFds(path: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  }).length;
}

async function readBlock(client: FsClient, handleId: string, offset: number, len: number) {
  const reply = await client.call<{ chunk: string; eof: boolean }>('fs/readBlock', { handleId, offset, len });
  return { text: Buffer.from(reply.chunk, 'base64').toString(), eof: reply.eof };
}

describe('reading blocks', () => {
  it('reads at any offset and says where the file ends', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'hello\n');
    expect(await client.call('fs/open', { handleId: 'h', path: at('file') })).toEqual({ handleId: 'h' });
    expect(await readBlock(client, 'h', 0, 3)).toEqual({ text: 'hel', eof: false });
    expect(await readBlock(client, 'h', 3, 3)).toEqual({ text: 'lo\n', eof: false });
    expect(await readBlock(client, 'h', 3, 4)).toEqual({ text: 'lo\n', eof: true });
    expect(await readBlock(client, 'h', 100, 1)).toEqual({ text: '', eof: true });
    expect(await client.call('fs/close', { handleId: 'h' })).toEqual({});
    expect(await client.call('fs/close', { handleId: 'h' })).toEqual({});
    expect(await client.refusal('fs/readBlock', { handleId: 'h', offset: 0, len: 1 })).toEqual({
      code: -32004,
      message: 'unknown file handle `h`',
    });
  });

  it('works pipelined: open, reads, close and open again in one go', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('one'), '1');
    writeFileSync(at('two'), '2');
    const replies = await Promise.all([
      client.call('fs/open', { handleId: 'h', path: at('one') }),
      readBlock(client, 'h', 0, 1),
      client.call('fs/close', { handleId: 'h' }),
      client.call('fs/open', { handleId: 'h', path: at('two') }),
      readBlock(client, 'h', 0, 1),
      client.call('fs/close', { handleId: 'h' }),
    ]);
    expect([replies[1], replies[4]]).toEqual([
      { text: '1', eof: false },
      { text: '2', eof: false },
    ]);
  });

  it('keeps reading the file that was opened when its path names another', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'old');
    writeFileSync(at('new'), 'new');
    await client.call('fs/open', { handleId: 'h', path: at('file') });
    renameSync(at('new'), at('file'));
    expect(await readBlock(client, 'h', 0, 9)).toEqual({ text: 'old', eof: true });
  });

  it('refuses bad lengths, ids, and what is no file', async () => {
    const { client, at, directory } = await setUp();
    writeFileSync(at('file'), '');
    makeFifo(at('fifo'));
    const length = { code: -32600, message: `file read block length must be between 1 and ${BLOCK}` };
    for (const len of [0, BLOCK + 1]) {
      expect(await client.refusal('fs/readBlock', { handleId: 'none', offset: 0, len })).toEqual(length);
    }
    const open = (handleId: string, path: string) => client.refusal('fs/open', { handleId, path });
    expect(await open('x'.repeat(33), at('file'))).toEqual({
      code: -32600,
      message: 'file handle ID must not exceed 32 bytes',
    });
    expect((await open('h', at('fifo'))).message).toBe(`path \`${at('fifo')}\` is not a file`);
    expect((await open('h', directory)).message).toBe(`path \`${directory}\` is not a file`);
    expect((await open('h', at('missing'))).code).toBe(-32004);
    await client.call('fs/open', { handleId: 'h', path: at('file') });
    expect((await open('h', at('file'))).message).toBe('file handle `h` already exists');
  });

  it('holds at most 128 files per connection, which end with it', async () => {
    const { client, at, connect } = await setUp();
    writeFileSync(at('file'), '');
    const other = await connect();
    const before = countFds(at('file'));
    for (let index = 0; index < 128; index += 1) {
      await other.call('fs/open', { handleId: `${index}`, path: at('file') });
    }
    expect(await other.refusal('fs/open', { handleId: 'more', path: at('file') })).toEqual({
      code: -32600,
      message: 'at most 128 file handles may be open per connection',
    });
    await other.call('fs/close', { handleId: '5' });
    await other.call('fs/open', { handleId: 'more', path: at('file') });
    await client.call('fs/open', { handleId: '1', path: at('file') });
    expect(countFds(at('file')) - before).toBe(129);
    other.peer.close();
    await eventually('the handles are closed', () => countFds(at('file')) - before === 1);
  });

  it('reads a huge file in memory of a few blocks', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('huge'), 'start');
    truncateSync(at('huge'), 1024 ** 4);
    await client.call('fs/open', { handleId: 'h', path: at('huge') });
    expect((await readBlock(client, 'h', 1024 ** 4 - 3, 10)).eof).toBe(true);
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    for (let offset = 0; offset < 128 * BLOCK; offset += BLOCK) {
      await client.call('fs/readBlock', { handleId: 'h', offset, len: BLOCK });
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }
    expect(peak).toBeLessThan(64 * BLOCK);
  });
});

describe('writing blocks', () => {
  it('replaces a file block by block', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), 'old and long');
    await client.call('fs/open', { handleId: 'w', path: at('file'), mode: 'replace' });
    expect(statSync(at('file')).size).toBe(0);
    const write = (offset: number, text: string) =>
      client.call('fs/writeBlock', { handleId: 'w', offset, chunk: base64(text) });
    expect(await Promise.all([write(0, 'abc'), write(5, 'xyz'), write(1, '!')])).toEqual([{}, {}, {}]);
    await client.call('fs/close', { handleId: 'w' });
    expect(readFileSync(at('file'), 'utf8')).toBe('a!c\0\0xyz');
  });

  it('refuses bad blocks and keeps the handle', async () => {
    const { client, at } = await setUp();
    await client.call('fs/open', { handleId: 'w', path: at('file'), mode: 'replace' });
    const refusal = (chunk: string) => client.refusal('fs/writeBlock', { handleId: 'w', offset: 0, chunk });
    const length = { code: -32600, message: `file write block length must be between 1 and ${BLOCK}` };
    expect(await refusal('')).toEqual(length);
    expect(await refusal(base64(Buffer.alloc(BLOCK + 1)))).toEqual(length);
    expect(await refusal('YQ')).toEqual({ code: -32602, message: 'Invalid padding' });
    await client.call('fs/writeBlock', { handleId: 'w', offset: 0, chunk: base64('ok') });
    expect(readFileSync(at('file'), 'utf8')).toBe('ok');
    expect(await client.refusal('fs/writeBlock', { handleId: 'x', offset: 0, chunk: base64('a') })).toEqual({
      code: -32004,
      message: 'unknown file handle `x`',
    });
  });

  it('keeps the two modes apart', async () => {
    const { client, at } = await setUp();
    await client.call('fs/open', { handleId: 'w', path: at('file'), mode: 'replace' });
    await client.call('fs/open', { handleId: 'r', path: at('file') });
    const bad = { code: -32603, message: 'Bad file descriptor (os error 9)' };
    expect(await client.refusal('fs/writeBlock', { handleId: 'r', offset: 0, chunk: base64('a') })).toEqual(
      bad,
    );
    expect(await client.refusal('fs/readBlock', { handleId: 'w', offset: 0, len: 1 })).toEqual(bad);
    // A read that fails closes its handle.
    expect((await client.refusal('fs/readBlock', { handleId: 'w', offset: 0, len: 1 })).code).toBe(-32004);
  });
});
