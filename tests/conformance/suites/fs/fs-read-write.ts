// Whole files in one request.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { verifies } from '../../runner/registry.js';
import { base64 } from '../process/process-fixture.js';
import {
  assertRefused,
  assertRefusedSomehow,
  makeFifo,
  NOT_A_DIRECTORY,
  NOT_FOUND,
  readText,
  releaseFifo,
  workplace,
} from './fs-fixture.js';

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
const LARGE = Buffer.alloc(5_000_000, 'a few megabytes of it ');

verifies('fs.readFile.content', async (t) => {
  const { connection, path, uri } = await workplace(t);
  for (const content of [Buffer.alloc(0), Buffer.from('text'), ALL_BYTES]) {
    await writeFile(path('file'), content);
    const expected = { dataBase64: content.toString('base64') };
    assert.deepEqual(await connection.call('fs/readFile', { path: uri('file') }), expected);
  }
});

verifies('fs.readFile.large', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), LARGE);
  const { dataBase64 } = await connection.call('fs/readFile', { path: uri('file') });
  assert.ok(Buffer.from(String(dataBase64), 'base64').equals(LARGE));
});

verifies('fs.readFile.proc', async (t) => {
  const connection = await t.open();
  const { dataBase64 } = await connection.call('fs/readFile', { path: 'file:///proc/version' });
  assert.equal(Buffer.from(String(dataBase64), 'base64').toString(), await readFile('/proc/version', 'utf8'));
});

verifies('fs.readFile.missing', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await symlink('nowhere', path('dangling'));
  for (const name of ['missing', 'missing/deeper', 'dangling']) {
    await assertRefused(connection, ['fs/readFile', { path: uri(name) }], NOT_FOUND);
  }
});

verifies('fs.readFile.not-a-file', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await makeFifo(path('fifo'));
  await mkdir(path('directory'));
  for (const [uriText, native] of [
    [uri('fifo'), path('fifo')],
    [uri('directory'), path('directory')],
    ['file:///dev/zero', '/dev/zero'],
  ] as const) {
    const expected = { code: -32600, message: `path \`${native}\` is not a file` };
    await assertRefused(connection, ['fs/readFile', { path: uriText }], expected);
  }
});

verifies('fs.readFile.below-a-file', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await assertRefused(connection, ['fs/readFile', { path: uri('file/below') }], NOT_A_DIRECTORY);
});

verifies('fs.readFile.follows', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('directory'));
  await writeFile(place.path('directory/file'), 'target');
  await symlink('directory/file', place.path('link'));
  await symlink('directory', place.path('way'));
  assert.equal(await readText(place, 'link'), 'target');
  assert.equal(await readText(place, 'way/file'), 'target');
});

verifies('fs.readFile.no-follow', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('directory'));
  await writeFile(path('directory/file'), 'target');
  await symlink('directory/file', path('link'));
  await symlink('directory', path('way'));
  await makeFifo(path('fifo'));
  const read = (name: string) => ({ path: uri(name), followSymlinks: false });
  assert.equal(
    (await connection.call('fs/readFile', read('directory/file')))['dataBase64'],
    base64('target'),
  );
  for (const name of ['link', 'way/file', 'fifo', 'directory']) {
    await assertRefusedSomehow(connection, 'fs/readFile', read(name));
  }
  await assertRefused(connection, ['fs/readFile', read('missing')], NOT_FOUND);
});

verifies('fs.readFile.params', async (t) => {
  const connection = await t.open();
  await assertRefused(connection, ['fs/readFile', {}], { code: -32602, message: 'missing field `path`' });
  for (const params of [{ path: 5 }, { path: null }, { path: 'file:///', followSymlinks: 'no' }]) {
    await assertRefused(connection, ['fs/readFile', params], { code: -32602 });
  }
});

verifies('fs.writeFile.creates', async (t) => {
  const { connection, path, uri } = await workplace(t);
  for (const content of [ALL_BYTES, Buffer.from('shorter'), Buffer.alloc(0)]) {
    const params = { path: uri('file'), dataBase64: content.toString('base64') };
    assert.deepEqual(await connection.call('fs/writeFile', params), {});
    assert.deepEqual(await readFile(path('file')), content);
  }
});

verifies('fs.writeFile.large', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await connection.call('fs/writeFile', { path: uri('file'), dataBase64: LARGE.toString('base64') });
  assert.ok((await readFile(path('file'))).equals(LARGE));
});

verifies('fs.writeFile.missing-parent', async (t) => {
  const { connection, directory, uri } = await workplace(t);
  await assertRefused(
    connection,
    ['fs/writeFile', { path: uri('no/file'), dataBase64: base64('x') }],
    NOT_FOUND,
  );
  assert.deepEqual(await readdir(directory), []);
});

verifies('fs.writeFile.directory', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('directory'));
  const expected = { code: -32603, message: 'Is a directory (os error 21)' };
  await assertRefused(connection, ['fs/writeFile', { path: uri('directory'), dataBase64: '' }], expected);
});

verifies('fs.writeFile.base64', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), 'old');
  const expected = { code: -32600, message: 'fs/writeFile requires valid base64 dataBase64: ' };
  for (const dataBase64 of ['!!', 'aGk', '-_-_', 'aGk=\n', 'YR==']) {
    await assertRefused(connection, ['fs/writeFile', { path: uri('file'), dataBase64 }], expected);
  }
  const missing = { code: -32602, message: 'missing field `dataBase64`' };
  await assertRefused(connection, ['fs/writeFile', { path: uri('file') }], missing);
  assert.equal(await readFile(path('file'), 'utf8'), 'old');
});

verifies('fs.writeFile.follows', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('target'), 'old');
  await symlink('target', path('link'));
  await symlink('made', path('dangling'));
  for (const name of ['link', 'dangling']) {
    await connection.call('fs/writeFile', { path: uri(name), dataBase64: base64('new') });
  }
  assert.equal(await readFile(path('target'), 'utf8'), 'new');
  assert.equal(await readFile(path('made'), 'utf8'), 'new');
});

verifies('fs.writeFile.no-follow', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('directory'));
  await writeFile(path('directory/target'), 'old');
  await symlink('directory/target', path('link'));
  await symlink('directory', path('way'));
  const write = (name: string) => ({ path: uri(name), dataBase64: base64('new'), followSymlinks: false });
  for (const name of ['link', 'way/target', 'way/fresh']) {
    await assertRefusedSomehow(connection, 'fs/writeFile', write(name));
  }
  assert.equal(await readFile(path('directory/target'), 'utf8'), 'old');
  assert.deepEqual(await readdir(path('directory')), ['target']);
  await connection.call('fs/writeFile', write('directory/fresh'));
  assert.equal(await readFile(path('directory/fresh'), 'utf8'), 'new');
});

verifies('fs.writeFile.fifo', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await makeFifo(path('fifo'));
  t.defer(() => releaseFifo(path('fifo')));
  const id = connection.request('fs/writeFile', { path: uri('fifo'), dataBase64: base64('x') });
  const reply = await connection.reply(id, { timeoutMs: 3_000 });
  assert.ok(reply.error, 'the write is refused');
});

verifies('fs.writeFile.in-order', async (t) => {
  const { connection, path, uri } = await workplace(t);
  const contents = Array.from({ length: 50 }, (_, index) => `${index}`.repeat((index * 997) % 5_000));
  const ids = contents.map((text) =>
    connection.request('fs/writeFile', { path: uri('file'), dataBase64: base64(text) }),
  );
  for (const id of ids) assert.deepEqual((await connection.reply(id)).result, {});
  assert.equal(await readFile(path('file'), 'utf8'), contents.at(-1));
});

verifies('fs.writeFile.seen-by-read', async (t) => {
  const { connection, uri } = await workplace(t);
  const reads = Array.from({ length: 20 }, (_, index) => {
    const dataBase64 = base64(`${index}`.repeat(100_000));
    connection.request('fs/writeFile', { path: uri('file'), dataBase64 });
    return { dataBase64, id: connection.request('fs/readFile', { path: uri('file') }) };
  });
  for (const { dataBase64, id } of reads)
    assert.deepEqual((await connection.reply(id)).result, { dataBase64 });
});
