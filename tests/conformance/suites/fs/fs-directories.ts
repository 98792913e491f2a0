// Directories, metadata and canonical paths.
import assert from 'node:assert/strict';
import { mkdir, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import {
  assertRefused,
  assertRefusedSomehow,
  makeFifo,
  NOT_A_DIRECTORY,
  NOT_FOUND,
  workplace,
} from './fs-fixture.js';

const FILE_EXISTS = { code: -32603, message: 'File exists (os error 17)' };

verifies('fs.createDirectory.recursive', async (t) => {
  const { connection, path, uri } = await workplace(t);
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await connection.call('fs/createDirectory', { path: uri('a/b/c') }), {});
    assert.ok((await stat(path('a/b/c'))).isDirectory());
  }
});

verifies('fs.createDirectory.single', async (t) => {
  const { connection, path, uri } = await workplace(t);
  const single = (name: string) => ['fs/createDirectory', { path: uri(name), recursive: false }] as const;
  await connection.call(...single('new'));
  assert.ok((await stat(path('new'))).isDirectory());
  await assertRefused(connection, single('new'), FILE_EXISTS);
  await assertRefused(connection, single('no/new'), NOT_FOUND);
  await assertRefused(
    connection,
    ['fs/createDirectory', { path: 'file:///', recursive: false }],
    FILE_EXISTS,
  );
});

verifies('fs.createDirectory.in-the-way', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await assertRefused(connection, ['fs/createDirectory', { path: uri('file') }], FILE_EXISTS);
  await assertRefused(connection, ['fs/createDirectory', { path: uri('file/below') }], NOT_A_DIRECTORY);
});

verifies('fs.createDirectory.no-follow', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('directory'));
  await symlink('directory', path('way'));
  const make = (name: string) => ({ path: uri(name), followSymlinks: false });
  await assertRefusedSomehow(connection, 'fs/createDirectory', make('way/new'));
  assert.deepEqual(await readdir(path('directory')), []);
  await connection.call('fs/createDirectory', make('directory/new/newer'));
  assert.ok((await stat(path('directory/new/newer'))).isDirectory());
});

verifies('fs.getMetadata.kinds', async (t) => {
  const { connection, path, uri } = await workplace(t);
  const modifiedAtMs = 1_700_000_000_000;
  await writeFile(path('file'), 'four');
  await mkdir(path('directory'));
  await makeFifo(path('fifo'));
  await symlink('file', path('link'));
  await symlink('directory', path('way'));
  for (const name of ['file', 'directory', 'fifo'])
    await utimes(path(name), new Date(), new Date(modifiedAtMs));
  const kinds = {
    file: { isFile: true, isDirectory: false, isSymlink: false },
    directory: { isFile: false, isDirectory: true, isSymlink: false },
    fifo: { isFile: false, isDirectory: false, isSymlink: false },
    link: { isFile: true, isDirectory: false, isSymlink: true },
    way: { isFile: false, isDirectory: true, isSymlink: true },
  };
  for (const [name, kind] of Object.entries(kinds)) {
    const metadata: JsonObject = await connection.call('fs/getMetadata', { path: uri(name) });
    const { size, createdAtMs, ...rest } = metadata;
    assert.deepEqual(rest, { ...kind, modifiedAtMs }, name);
    assert.equal(typeof createdAtMs, 'number');
    if (kind.isFile) assert.equal(size, 4);
  }
});

verifies('fs.getMetadata.missing', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await symlink('nowhere', path('dangling'));
  await assertRefused(connection, ['fs/getMetadata', { path: uri('missing') }], NOT_FOUND);
  await assertRefused(connection, ['fs/getMetadata', { path: uri('dangling') }], NOT_FOUND);
  await assertRefused(connection, ['fs/getMetadata', { path: uri('file/below') }], NOT_A_DIRECTORY);
});

verifies('fs.getMetadata.no-follow', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('directory'));
  await writeFile(path('directory/file'), 'four');
  await symlink('directory/file', path('link'));
  await symlink('nowhere', path('dangling'));
  await symlink('directory', path('way'));
  const look = (name: string) => ['fs/getMetadata', { path: uri(name), followSymlinks: false }] as const;
  assert.equal((await connection.call(...look('directory/file')))['size'], 4);
  const expected = { code: -32600, message: 'path contains a symbolic link' };
  await assertRefused(connection, look('link'), expected);
  await assertRefused(connection, look('dangling'), expected);
  await assertRefusedSomehow(connection, ...look('way/file'));
});

verifies('fs.getMetadata.many', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('there'), '');
  const ids = Array.from({ length: 500 }, (_, index) =>
    connection.request('fs/getMetadata', { path: uri(index % 2 === 0 ? 'there' : 'not-there') }),
  );
  for (const [index, id] of ids.entries()) {
    const reply = await connection.reply(id);
    if (index % 2 === 0) assert.ok(reply.result);
    else assert.equal(reply.error?.code, -32004);
  }
});

verifies('fs.canonicalize.links', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('real dir'));
  await writeFile(path('real dir/file'), '');
  await symlink('real dir', path('way'));
  await symlink('way/file', path('link'));
  const expected = { path: uri('real dir/file') };
  for (const asked of [uri('link'), uri('way/file'), `${uri('')}//way/./file`, uri('real dir/file')]) {
    assert.deepEqual(await connection.call('fs/canonicalize', { path: asked }), expected, asked);
  }
});

verifies('fs.canonicalize.missing', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await symlink('nowhere', path('dangling'));
  for (const name of ['missing', 'dangling']) {
    await assertRefused(connection, ['fs/canonicalize', { path: uri(name) }], NOT_FOUND);
  }
});

verifies('fs.readDirectory.entries', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('.hidden'), '');
  await mkdir(path('directory'));
  await makeFifo(path('fifo'));
  await symlink('.hidden', path('to-file'));
  await symlink('directory', path('to-directory'));
  await symlink('nowhere', path('dangling'));
  const { entries } = await connection.call('fs/readDirectory', { path: uri('') });
  const byName = (entries as { fileName: string }[]).toSorted((a, b) => (a.fileName < b.fileName ? -1 : 1));
  assert.deepEqual(byName, [
    { fileName: '.hidden', isDirectory: false, isFile: true },
    { fileName: 'directory', isDirectory: true, isFile: false },
    { fileName: 'fifo', isDirectory: false, isFile: false },
    { fileName: 'to-directory', isDirectory: true, isFile: false },
    { fileName: 'to-file', isDirectory: false, isFile: true },
  ]);
});

verifies('fs.readDirectory.not-a-directory', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await assertRefused(connection, ['fs/readDirectory', { path: uri('file') }], NOT_A_DIRECTORY);
  await assertRefused(connection, ['fs/readDirectory', { path: uri('missing') }], NOT_FOUND);
});
