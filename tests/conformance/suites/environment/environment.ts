// The environment family.
import assert from 'node:assert/strict';
import { isAbsolute } from 'node:path';
import { isObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import { startParams, textOf, untilClosed } from '../process/process-fixture.js';

const SHELLS = ['zsh', 'bash', 'sh', 'powershell', 'cmd'];

verifies('environment.status.ready', async (t) => {
  const connection = await t.open();
  assert.deepEqual(await connection.call('environment/status'), { status: 'ready' });
});

verifies('environment.info.shell', async (t) => {
  const { shell } = await (await t.open()).call('environment/info');
  assert.ok(isObject(shell));
  assert.ok(SHELLS.includes(String(shell['name'])), `shell name ${shell['name']}`);
  assert.ok(isAbsolute(String(shell['path'])));
});

verifies('environment.info.shell-runs', async (t) => {
  const connection = await t.open();
  const { shell } = await connection.call('environment/info');
  assert.ok(isObject(shell));
  await connection.call('process/start', startParams('sh', [String(shell['path']), '-c', 'echo it runs']));
  await untilClosed(connection, 'sh');
  assert.equal(textOf(connection, 'sh'), 'it runs\n');
});

verifies('environment.info.cwd', async (t) => {
  const connection = await t.open();
  const { cwd } = await connection.call('environment/info');
  if (cwd === null || cwd === undefined) return;
  assert.match(String(cwd), /^file:\/\/\//);
  assert.equal((await connection.call('fs/getMetadata', { path: cwd }))['isDirectory'], true);
});

verifies('environment.info.temporary-directories', async (t) => {
  const info = await (await t.open()).call('environment/info');
  const listed = info['temporaryDirectories'] ?? [];
  assert.ok(Array.isArray(listed));
  const all = info['tempDir'] === undefined ? listed : [...listed, info['tempDir']];
  for (const directory of all) assert.match(String(directory), /^file:\/\/\//);
});

verifies('environment.info.capabilities', async (t) => {
  const { capabilities } = await (await t.open()).call('environment/info');
  assert.ok(isObject(capabilities));
  for (const [name, value] of Object.entries(capabilities)) assert.equal(typeof value, 'boolean', name);
});

verifies('environment.info.stable', async (t) => {
  const [one, two] = [await t.open(), await t.open()];
  assert.deepEqual(await one.call('environment/info'), await two.call('environment/info', {}));
});
