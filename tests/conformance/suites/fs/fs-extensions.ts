// The file additions of this project: write options, rename and watch.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { verifies } from '../../runner/registry.js';
import { base64 } from '../process/process-fixture.js';
import { assertRefused, assertRefusedSomehow, NOT_FOUND, type Workplace, workplace } from './fs-fixture.js';

verifies('fs.writeFile.append', async (t) => {
  const { connection, path, uri } = await workplace(t);
  for (const text of ['one ', 'two ', 'three']) {
    await connection.call('fs/writeFile', { path: uri('file'), dataBase64: base64(text), append: true });
  }
  assert.equal(await readFile(path('file'), 'utf8'), 'one two three');
});

verifies('fs.writeFile.exclusive', async (t) => {
  const { connection, path, uri } = await workplace(t);
  const write = (text: string) => ({ path: uri('file'), dataBase64: base64(text), exclusive: true });
  await connection.call('fs/writeFile', write('first'));
  await assertRefusedSomehow(connection, 'fs/writeFile', write('second'));
  assert.equal(await readFile(path('file'), 'utf8'), 'first');
});

verifies('fs.writeFile.mode', async (t) => {
  const { connection, path, uri } = await workplace(t);
  await connection.call('fs/writeFile', { path: uri('file'), dataBase64: '', mode: 0o600 });
  assert.equal((await stat(path('file'))).mode & 0o777, 0o600);
});

verifies('fs.writeFile.atomic', async (t) => {
  const { connection, directory, path, uri } = await workplace(t);
  await writeFile(path('file'), 'old', { mode: 0o640 });
  const before = await stat(path('file'));
  const params = { path: uri('file'), dataBase64: base64('new'), atomic: true };
  await connection.call('fs/writeFile', params);
  assert.equal(await readFile(path('file'), 'utf8'), 'new');
  const after = await stat(path('file'));
  assert.notEqual(after.ino, before.ino, 'another file took its place');
  assert.equal(after.mode, before.mode, 'with the same permissions');
  await assertRefused(connection, ['fs/writeFile', { ...params, path: uri('no/file') }], NOT_FOUND);
  assert.deepEqual(await readdir(directory), ['file']);
});

const move = ({ uri }: Workplace, from: string, to: string) => ({
  sourcePath: uri(from),
  destinationPath: uri(to),
});

verifies('fs.rename.moves', async (t) => {
  const place = await workplace(t);
  await writeFile(place.path('file'), 'moved');
  await writeFile(place.path('taken'), 'replaced');
  await mkdir(place.path('directory/sub'), { recursive: true });
  assert.deepEqual(await place.connection.call('fs/rename', move(place, 'file', 'taken')), {});
  assert.equal(await readFile(place.path('taken'), 'utf8'), 'moved');
  await place.connection.call('fs/rename', move(place, 'directory', 'other'));
  assert.deepEqual((await readdir(place.directory)).toSorted(), ['other', 'taken']);
});

verifies('fs.rename.no-overwrite', async (t) => {
  const place = await workplace(t);
  await writeFile(place.path('file'), 'moved');
  await writeFile(place.path('taken'), 'kept');
  const params = { ...move(place, 'file', 'taken'), overwrite: false };
  await assertRefusedSomehow(place.connection, 'fs/rename', params);
  assert.equal(await readFile(place.path('taken'), 'utf8'), 'kept');
  assert.equal(await readFile(place.path('file'), 'utf8'), 'moved');
  await place.connection.call('fs/rename', { ...move(place, 'file', 'free'), overwrite: false });
});

verifies('fs.rename.missing', async (t) => {
  const place = await workplace(t);
  await assertRefused(place.connection, ['fs/rename', move(place, 'missing', 'to')], NOT_FOUND);
});

verifies('fs.watch.changes', async (t) => {
  const place = await workplace(t);
  await writeFile(place.path('old'), '');
  const { connection, uri } = place;
  assert.deepEqual(await connection.call('fs/watch', { watchId: 'w', path: uri('') }), { watchId: 'w' });
  await writeFile(place.path('new'), 'x');
  await untilChanged(place, 'new', ['created']);
  await writeFile(place.path('old'), 'changed');
  await untilChanged(place, 'old', ['modified']);
  await rm(place.path('old'));
  await untilChanged(place, 'old', ['removed']);
});

verifies('fs.watch.recursive', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('sub'));
  await place.connection.call('fs/watch', { watchId: 'w', path: place.uri(''), recursive: true });
  await writeFile(place.path('sub/file'), 'x');
  await untilChanged(place, 'sub/file', ['created']);
  await mkdir(place.path('later'));
  await untilChanged(place, 'later', ['created']);
  await writeFile(place.path('later/file'), 'x');
  await untilChanged(place, 'later/file', ['created']);
});

verifies('fs.watch.ends', async (t) => {
  const place = await workplace(t);
  const { connection, uri } = place;
  await connection.call('fs/watch', { watchId: 'w', path: uri('') });
  assert.deepEqual(await connection.call('fs/unwatch', { watchId: 'w' }), {});
  await writeFile(place.path('unseen'), 'x');
  await connection.call('fs/watch', { watchId: 'w', path: uri('') });
  await writeFile(place.path('seen'), 'x');
  await untilChanged(place, 'seen', ['created']);
  const unseen = changesOf(place).filter(({ path }) => path === uri('unseen'));
  assert.deepEqual(unseen, []);
});

verifies('fs.watch.refused', async (t) => {
  const { connection, uri } = await workplace(t);
  await assertRefused(connection, ['fs/watch', { watchId: 'w', path: uri('missing') }], { code: -32004 });
  await connection.call('fs/watch', { watchId: 'w', path: uri('') });
  await assertRefused(connection, ['fs/watch', { watchId: 'w', path: uri('') }], { code: -32600 });
});

interface Change {
  readonly path: string;
  readonly kind: string;
}

function changesOf({ connection }: Workplace): Change[] {
  return connection.received
    .filter((message) => message.method === 'fs/changed')
    .flatMap((message) => message.params?.['changes'] as Change[]);
}

async function untilChanged(place: Workplace, name: string, kinds: readonly string[]): Promise<void> {
  const path = place.uri(name);
  const isIt = (change: Change) => change.path === path && kinds.includes(change.kind);
  await place.connection.until(() => changesOf(place).find(isIt), `${kinds.join(' or ')} of ${name}`);
}
