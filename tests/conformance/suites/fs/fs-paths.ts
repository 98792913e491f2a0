// How files are named, and sandbox contexts that restrict nothing or cannot be understood.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { verifies } from '../../runner/registry.js';
import { base64 } from '../process/process-fixture.js';
import { assertRefused, readText, workplace } from './fs-fixture.js';

verifies('fs.path.forms', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('sub'));
  await writeFile(place.path('file'), 'here');
  const base = place.uri('');
  const forms = [
    `${base}/file`,
    `${base}/./sub/../file`,
    `${base}/sub/%2e%2e/file`,
    `${base}/%66ile`,
    `${base}//file`,
    `${base.replace('file://', 'file://localhost')}/file`,
  ];
  for (const path of forms) {
    const { dataBase64 } = await place.connection.call('fs/readFile', { path });
    assert.equal(dataBase64, base64('here'), path);
  }
});

verifies('fs.path.refused', async (t) => {
  const connection = await t.open();
  const refused = [
    '',
    'file',
    './file',
    '../etc/passwd',
    'http://localhost/etc/passwd',
    'data:,x',
    'file:///etc/passwd?x',
    'file:///etc/passwd#x',
    'file:///etc/passwd%00',
    'file://localhost:80/etc/passwd',
    'file://user@localhost/etc/passwd',
  ];
  for (const path of refused) await assertRefused(connection, ['fs/getMetadata', { path }], { code: -32602 });
});

verifies('fs.path.foreign', async (t) => {
  const connection = await t.open();
  for (const path of ['file://otherhost/etc/passwd', 'file:///C:/etc/passwd', 'file:///c:/']) {
    const { code } = await connection.refusal('fs/getMetadata', { path });
    assert.ok(code === -32600 || code === -32602, `${path} got ${code}`);
  }
});

verifies('fs.path.names', async (t) => {
  const place = await workplace(t);
  const names = [
    'with space',
    '100%',
    '%41',
    'a#b?c',
    'ünï',
    '🙂',
    '[x]{y}|^`"<>',
    "it's",
    'back\\slash',
    '-rf',
    'x'.repeat(255),
  ];
  for (const name of names) {
    await place.connection.call('fs/writeFile', { path: place.uri(name), dataBase64: base64(name) });
    assert.equal(await readFile(place.path(name), 'utf8'), name);
    assert.equal(await readText(place, name), name);
  }
  const { entries } = await place.connection.call('fs/readDirectory', { path: place.uri('') });
  const listed = (entries as { fileName: string }[]).map(({ fileName }) => fileName);
  assert.deepEqual(listed.toSorted(), names.toSorted());
});

verifies('fs.path.not-utf8', async (t) => {
  const place = await workplace(t);
  await writeFile(Buffer.concat([Buffer.from(place.path('bad')), Buffer.of(0xff)]), 'odd');
  const path = `${place.uri('bad')}%FF`;
  const { dataBase64 } = await place.connection.call('fs/readFile', { path });
  assert.equal(dataBase64, base64('odd'));
  assert.deepEqual(await place.connection.call('fs/canonicalize', { path }), { path });
});

verifies('fs.path.plain', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('sp ace %41'));
  await writeFile(place.path('sp ace %41/file'), 'here');
  const path = `${place.directory}/sp ace %41/../sp ace %41/file`;
  assert.equal((await place.connection.call('fs/readFile', { path }))['dataBase64'], base64('here'));
  const canonical = place.path('sp ace %41/file');
  assert.deepEqual(await place.connection.call('fs/canonicalize', { path }), { path: canonical });
  const options = { maxDepth: 4, maxDirectories: 10, maxEntries: 10, followDirectorySymlinks: false };
  const { entries } = await place.connection.call('fs/walk', { path: place.directory, options });
  assert.deepEqual(
    (entries as { path: string }[]).map((entry) => entry.path),
    [place.path('sp ace %41'), canonical],
  );
});

const context = (permissions: unknown) => ({ permissions, windowsSandboxLevel: 'disabled' });

verifies('fs.sandbox.disabled', async (t) => {
  const place = await workplace(t);
  for (const permissions of [{ type: 'disabled' }, { type: 'external', network: 'restricted' }]) {
    const sandbox = context(permissions);
    await place.connection.call('fs/writeFile', {
      path: place.uri('file'),
      dataBase64: base64('x'),
      sandbox,
    });
    const { dataBase64 } = await place.connection.call('fs/readFile', { path: place.uri('file'), sandbox });
    assert.equal(dataBase64, base64('x'));
  }
});

verifies('fs.sandbox.unknown', async (t) => {
  const place = await workplace(t);
  const refused = [{}, 'read-only', context({ type: 'nosuch' }), context({}), context({ type: 'managed' })];
  for (const sandbox of refused) {
    const params = { path: place.uri('file'), dataBase64: base64('x'), sandbox };
    await assertRefused(place.connection, ['fs/writeFile', params], { code: -32602 });
  }
  await assertRefused(place.connection, ['fs/getMetadata', { path: place.uri('file') }], { code: -32004 });
});
