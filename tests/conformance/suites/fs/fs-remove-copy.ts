// Removing and copying whole entries.
import assert from 'node:assert/strict';
import { chmod, link, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { verifies } from '../../runner/registry.js';
import {
  assertRefused,
  assertRefusedSomehow,
  makeFifo,
  NOT_A_DIRECTORY,
  NOT_FOUND,
  type Workplace,
  workplace,
} from './fs-fixture.js';

verifies('fs.remove.file', async (t) => {
  const { connection, directory, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await mkdir(path('empty'));
  await makeFifo(path('fifo'));
  for (const name of ['file', 'empty', 'fifo']) {
    assert.deepEqual(await connection.call('fs/remove', { path: uri(name), recursive: false }), {});
  }
  assert.deepEqual(await readdir(directory), []);
});

verifies('fs.remove.missing', async (t) => {
  const { connection, uri } = await workplace(t);
  assert.deepEqual(await connection.call('fs/remove', { path: uri('missing') }), {});
  assert.deepEqual(await connection.call('fs/remove', { path: uri('missing/below'), force: true }), {});
  await assertRefused(connection, ['fs/remove', { path: uri('missing'), force: false }], NOT_FOUND);
});

verifies('fs.remove.directory', async (t) => {
  const { connection, directory, path, uri } = await workplace(t);
  await mkdir(path('top/middle'), { recursive: true });
  await writeFile(path('top/middle/file'), '');
  const notEmpty = { code: -32603, message: 'Directory not empty (os error 39)' };
  await assertRefused(connection, ['fs/remove', { path: uri('top'), recursive: false }], notEmpty);
  await connection.call('fs/remove', { path: uri('top') });
  assert.deepEqual(await readdir(directory), []);
});

verifies('fs.remove.link', async (t) => {
  const { connection, directory, path, uri } = await workplace(t);
  await mkdir(path('kept'));
  await writeFile(path('kept/file'), 'kept');
  await symlink('kept', path('way'));
  await mkdir(path('top'));
  await symlink('../kept', path('top/way'));
  for (const name of ['way', 'top']) await connection.call('fs/remove', { path: uri(name) });
  assert.deepEqual(await readdir(directory), ['kept']);
  assert.equal(await readFile(path('kept/file'), 'utf8'), 'kept');
});

verifies('fs.remove.no-follow', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('directory'));
  await writeFile(path('directory/file'), '');
  await symlink('directory', path('way'));
  const remove = (name: string) => ({ path: uri(name), followSymlinks: false, recursive: false });
  await assertRefusedSomehow(connection, 'fs/remove', remove('way/file'));
  assert.deepEqual(await readdir(path('directory')), ['file']);
  await connection.call('fs/remove', remove('directory/file'));
  assert.deepEqual(await readdir(path('directory')), []);
});

verifies('fs.remove.below-a-file', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await assertRefused(connection, ['fs/remove', { path: uri('file/below') }], NOT_A_DIRECTORY);
});

verifies('fs.copy.file', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('from'), 'contents');
  await chmod(path('from'), 0o751);
  await writeFile(path('existing'), 'something much longer');
  for (const name of ['new', 'existing']) {
    assert.deepEqual(await connection.call('fs/copy', copy({ uri }, 'from', name)), {});
    assert.equal(await readFile(path(name), 'utf8'), 'contents');
  }
  assert.equal((await stat(path('new'))).mode & 0o777, 0o751);
});

verifies('fs.copy.missing', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), '');
  await assertRefused(connection, ['fs/copy', copy({ uri }, 'missing', 'to')], NOT_FOUND);
  await assertRefused(connection, ['fs/copy', copy({ uri }, 'file', 'no/to')], NOT_FOUND);
});

verifies('fs.copy.recursive-required', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('from'));
  const { recursive: _omitted, ...without } = copy({ uri }, 'from', 'to');
  await assertRefused(connection, ['fs/copy', without], {
    code: -32602,
    message: 'missing field `recursive`',
  });
  const expected = {
    code: -32600,
    message: 'fs/copy requires recursive: true when sourcePath is a directory',
  };
  await assertRefused(connection, ['fs/copy', copy({ uri }, 'from', 'to')], expected);
});

verifies('fs.copy.directory', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('from/sub'), { recursive: true });
  await writeFile(path('from/sub/file'), 'deep');
  await symlink('sub/file', path('from/link'));
  await symlink('nowhere', path('from/dangling'));
  await makeFifo(path('from/fifo'));
  await connection.call('fs/copy', { ...copy({ uri }, 'from', 'to'), recursive: true });
  assert.deepEqual((await readdir(path('to'))).toSorted(), ['dangling', 'link', 'sub']);
  assert.equal(await readFile(path('to/sub/file'), 'utf8'), 'deep');
  assert.equal(await readlink(path('to/link')), 'sub/file');
  assert.equal(await readlink(path('to/dangling')), 'nowhere');
});

verifies('fs.copy.into-itself', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await mkdir(path('from/sub'), { recursive: true });
  await symlink('from', path('way'));
  const expected = {
    code: -32600,
    message: 'fs/copy cannot copy a directory to itself or one of its descendants',
  };
  for (const to of ['from', 'from/sub/to', 'from/new', 'way/new']) {
    await assertRefused(connection, ['fs/copy', { ...copy({ uri }, 'from', to), recursive: true }], expected);
  }
  assert.deepEqual(await readdir(path('from')), ['sub']);
});

verifies('fs.copy.link', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await symlink('nowhere', path('dangling'));
  await connection.call('fs/copy', copy({ uri }, 'dangling', 'to'));
  assert.equal(await readlink(path('to')), 'nowhere');
});

verifies('fs.copy.special', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await makeFifo(path('fifo'));
  const expected = {
    code: -32600,
    message: 'fs/copy only supports regular files, directories, and symlinks',
  };
  await assertRefused(connection, ['fs/copy', copy({ uri }, 'fifo', 'to')], expected);
});

verifies('fs.copy.onto-itself', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await writeFile(path('file'), 'precious');
  await link(path('file'), path('same'));
  await symlink('file', path('way'));
  for (const to of ['file', 'same']) {
    // Refused or done without harm: either is fine.
    await connection.reply(connection.request('fs/copy', copy({ uri }, 'file', to)));
    assert.equal(await readFile(path('file'), 'utf8'), 'precious', to);
  }
});

function copy({ uri }: Pick<Workplace, 'uri'>, from: string, to: string) {
  return { sourcePath: uri(from), destinationPath: uri(to), recursive: false };
}
