// Open files, read and written in blocks.
import assert from 'node:assert/strict';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { verifies } from '../../runner/registry.js';
import { base64 } from '../process/process-fixture.js';
import { assertRefused, assertRefusedSomehow, makeFifo, NOT_FOUND, workplace } from './fs-fixture.js';

const MAX_BLOCK = 1_048_576;
const BLOCK_LENGTH = { code: -32600, message: `file read block length must be between 1 and ${MAX_BLOCK}` };

verifies('fs.open.blocks', async (t) => {
  const { connection, path, uri } = await workplace(t);
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251));
  await writeFile(path('file'), content);
  assert.deepEqual(await connection.call('fs/open', { handleId: 'h', path: uri('file') }), { handleId: 'h' });
  for (const [offset, len] of [
    [0, 1],
    [1_000, 5_000],
    [299_999, 1],
    [299_000, 5_000],
    [0, 300_000],
    [0, MAX_BLOCK],
    [400_000, 10],
  ] as const) {
    const expected = content.subarray(offset, offset + len);
    const block = await connection.call('fs/readBlock', { handleId: 'h', offset, len });
    assert.deepEqual(
      block,
      { chunk: expected.toString('base64'), eof: expected.length < len },
      `${offset}+${len}`,
    );
  }
});

verifies('fs.open.exact-end', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), 'abcdef');
  await connection.call('fs/open', { handleId: 'h', path: uri('file') });
  const block = (offset: number) => connection.call('fs/readBlock', { handleId: 'h', offset, len: 3 });
  assert.deepEqual(await block(0), { chunk: base64('abc'), eof: false });
  assert.deepEqual(await block(3), { chunk: base64('def'), eof: false });
  assert.deepEqual(await block(6), { chunk: '', eof: true });
});

verifies('fs.open.not-a-file', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('directory'));
  await makeFifo(path('fifo'));
  for (const name of ['directory', 'fifo']) {
    await assertRefused(connection, ['fs/open', { handleId: 'h', path: uri(name) }], { code: -32600 });
  }
  await assertRefused(connection, ['fs/open', { handleId: 'h', path: uri('missing') }], NOT_FOUND);
});

verifies('fs.open.duplicate', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await connection.call('fs/open', { handleId: 'h', path: uri('file') });
  const expected = { code: -32600, message: 'file handle `h` already exists' };
  await assertRefused(connection, ['fs/open', { handleId: 'h', path: uri('file') }], expected);
});

verifies('fs.open.long-id', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  for (const handleId of ['x'.repeat(33), 'ü'.repeat(17)]) {
    const expected = { code: -32600, message: 'file handle ID must not exceed 32 bytes' };
    await assertRefused(connection, ['fs/open', { handleId, path: uri('file') }], expected);
  }
  for (const handleId of ['x'.repeat(32), 'ü'.repeat(16), '']) {
    assert.deepEqual(await connection.call('fs/open', { handleId, path: uri('file') }), { handleId });
  }
});

verifies('fs.open.limit', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  const open = (handleId: string) => ({ handleId, path: uri('file') });
  for (let count = 0; count < 128; count++) await connection.call('fs/open', open(`h${count}`));
  const expected = { code: -32600, message: 'at most 128 file handles may be open per connection' };
  await assertRefused(connection, ['fs/open', open('one-more')], expected);
  await connection.call('fs/close', { handleId: 'h5' });
  await connection.call('fs/open', open('one-more'));
});

verifies('fs.open.per-connection', async (t) => {
  const { connection, path, uri } = await workplace(t);
  const other = await t.open();
  await writeFile(path('one'), 'one');
  await writeFile(path('two'), 'two');
  await connection.call('fs/open', { handleId: 'h', path: uri('one') });
  await assertRefused(other, ['fs/readBlock', { handleId: 'h', offset: 0, len: 3 }], { code: -32004 });
  await other.call('fs/open', { handleId: 'h', path: uri('two') });
  const block = { handleId: 'h', offset: 0, len: 3 };
  assert.equal((await connection.call('fs/readBlock', block))['chunk'], base64('one'));
  assert.equal((await other.call('fs/readBlock', block))['chunk'], base64('two'));
});

verifies('fs.open.replaced-file', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), 'old');
  await connection.call('fs/open', { handleId: 'h', path: uri('file') });
  await writeFile(path('other'), 'new');
  await rename(path('other'), path('file'));
  const { chunk } = await connection.call('fs/readBlock', { handleId: 'h', offset: 0, len: 3 });
  assert.equal(chunk, base64('old'));
});

verifies('fs.readBlock.length', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), 'x');
  await connection.call('fs/open', { handleId: 'h', path: uri('file') });
  for (const handleId of ['h', 'unknown']) {
    for (const len of [0, MAX_BLOCK + 1]) {
      await assertRefused(connection, ['fs/readBlock', { handleId, offset: 0, len }], BLOCK_LENGTH);
    }
  }
});

verifies('fs.readBlock.unknown', async (t) => {
  const connection = await t.open();
  const expected = { code: -32004, message: 'unknown file handle `nosuch`' };
  await assertRefused(connection, ['fs/readBlock', { handleId: 'nosuch', offset: 0, len: 1 }], expected);
});

verifies('fs.readBlock.numbers', async (t) => {
  const connection = await t.open();
  for (const numbers of [
    { offset: -1, len: 1 },
    { offset: 0, len: -1 },
    { offset: 0.5, len: 1 },
    { offset: '0', len: 1 },
    { len: 1 },
    { offset: 0 },
  ]) {
    await assertRefused(connection, ['fs/readBlock', { handleId: 'h', ...numbers }], { code: -32602 });
  }
});

verifies('fs.close.idempotent', async (t) => {
  const connection = await t.open();
  assert.deepEqual(await connection.call('fs/close', { handleId: 'never-opened' }), {});
  assert.deepEqual(await connection.call('fs/close', { handleId: 'never-opened' }), {});
  await assertRefused(connection, ['fs/close', {}], { code: -32602, message: 'missing field `handleId`' });
});

verifies('fs.writeBlock.blocks', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await connection.call('fs/open', { handleId: 'w', path: uri('file'), mode: 'replace' });
  for (const [offset, text] of [
    [0, 'hello'],
    [5, ' world'],
    [0, 'J'],
    [20, 'end'],
  ] as const) {
    const params = { handleId: 'w', offset, chunk: base64(text) };
    assert.deepEqual(await connection.call('fs/writeBlock', params), {});
  }
  await connection.call('fs/close', { handleId: 'w' });
  assert.equal(await readFile(path('file'), 'latin1'), `Jello world${'\u0000'.repeat(9)}end`);
});

verifies('fs.writeBlock.truncates', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('old'), 'contents');
  for (const name of ['old', 'new']) {
    await connection.call('fs/open', { handleId: name, path: uri(name), mode: 'replace' });
    await connection.call('fs/close', { handleId: name });
    assert.equal(await readFile(path(name), 'utf8'), '');
  }
  const params = { handleId: 'x', path: uri('old'), mode: 'append-ish' };
  await assertRefused(connection, ['fs/open', params], { code: -32602 });
});

verifies('fs.writeBlock.refused', async (t) => {
  const { connection, uri } = await workplace(t);
  await connection.call('fs/open', { handleId: 'w', path: uri('file'), mode: 'replace' });
  const block = (chunk: string) => ['fs/writeBlock', { handleId: 'w', offset: 0, chunk }] as const;
  const length = { code: -32600, message: `file write block length must be between 1 and ${MAX_BLOCK}` };
  await assertRefused(connection, block(''), length);
  await assertRefused(connection, block(Buffer.alloc(MAX_BLOCK + 1).toString('base64')), length);
  await assertRefused(connection, block('!'), { code: -32602 });
  const unknown = { handleId: 'nosuch', offset: 0, chunk: base64('x') };
  await assertRefused(connection, ['fs/writeBlock', unknown], { code: -32004 });
});

verifies('fs.writeBlock.wrong-handle', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), 'untouched');
  await connection.call('fs/open', { handleId: 'r', path: uri('file') });
  await connection.call('fs/open', { handleId: 'w', path: uri('other'), mode: 'replace' });
  await assertRefusedSomehow(connection, 'fs/writeBlock', { handleId: 'r', offset: 0, chunk: base64('x') });
  await assertRefusedSomehow(connection, 'fs/readBlock', { handleId: 'w', offset: 0, len: 1 });
  assert.equal(await readFile(path('file'), 'utf8'), 'untouched');
});
