// Why a command was denied, what its policy is, and its files.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import { shell, startParams, startScript, untilClosed } from '../process/process-fixture.js';
import { openWatched } from './observe-fixture.js';

function sandboxFor(workspace: string): JsonObject {
  const special = (kind: string) => ({ type: 'special', value: { kind } });
  const entries = [
    { path: special('root'), access: 'read' },
    { path: { type: 'path', path: `file://${workspace}/work` }, access: 'write' },
    { path: { type: 'path', path: `file://${workspace}/secret` }, access: 'deny' },
  ];
  return {
    permissions: { type: 'managed', file_system: { type: 'restricted', entries }, network: 'restricted' },
    cwd: `file://${workspace}`,
  };
}

verifies('observe.explain.denial', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const directory = await t.scratch();
  await writeFile(`${directory}/secret`, 'hidden');
  const processId = 'denied';
  const target = `${directory}/outside.txt`;
  const start = startParams(processId, shell(`echo x > ${target}`), { sandbox: sandboxFor(directory) });
  await owner.call('process/start', start);
  await untilClosed(owner, processId);
  const told = await observer.call('sandbox/explain', { session, processId });
  const denial = told['denial'] as JsonObject;
  assert.equal(denial['path'], target);
  const decision = told['decision'] as JsonObject;
  assert.deepEqual([decision['path'], decision['read'], decision['write']], [target, true, false]);
  assert.deepEqual([decision['decidedBy'], decision['rule']], ['rule', { path: '/', access: 'read' }]);
  const [change] = told['changes'] as JsonObject[];
  assert.deepEqual(change?.['add'], { path: { type: 'path', path: target }, access: 'write' });
  const nodes = told['nodes'] as JsonObject[];
  assert.equal(nodes[0]?.['path'], '/');
  const below = ((nodes[0]['children'] ?? []) as number[]).map((index) => nodes[index]?.['path']);
  assert.deepEqual(below.toSorted(), [`${directory}/secret`, `${directory}/work`]);
  assert.equal(told['restrictsFiles'], true);
});

verifies('observe.explain.what-if', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = await startScript(owner, 'exit 0');
  const plain = await observer.call('sandbox/explain', { session, processId, path: '/etc/passwd' });
  assert.equal(plain['restrictsFiles'], false);
  assert.equal((plain['decision'] as JsonObject)['decidedBy'], 'unrestricted');
  const { permissions } = sandboxFor('/ws');
  const asked = { session, processId, path: '/ws/secret/key', whatIf: permissions };
  const decision = (await observer.call('sandbox/explain', asked))['decision'] as JsonObject;
  assert.deepEqual([decision['read'], decision['write']], [false, false]);
  const refusal = await observer.refusal('sandbox/explain', { ...asked, whatIf: { type: 'nonsense' } });
  assert.equal(refusal.code, -32602);
});

verifies('observe.files.under-policy', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const directory = await t.scratch();
  await writeFile(`${directory}/open.txt`, 'seen');
  await writeFile(`${directory}/secret`, 'hidden');
  const processId = 'policy';
  const start = startParams(processId, ['/bin/true'], { sandbox: sandboxFor(directory) });
  await owner.call('process/start', start);
  await untilClosed(owner, processId);
  const target = { session, processId };
  const read = await observer.call('observe/readFile', { ...target, path: `${directory}/open.txt` });
  assert.deepEqual(read, { chunk: Buffer.from('seen').toString('base64'), size: 4, eof: true });
  const part = await observer.call('observe/readFile', {
    ...target,
    path: `${directory}/open.txt`,
    offset: 2,
    maxBytes: 1,
  });
  assert.equal(Buffer.from(String(part['chunk']), 'base64').toString(), 'e');
  const { entries } = await observer.call('observe/readDirectory', { ...target, path: directory });
  assert.ok((entries as JsonObject[]).some(({ fileName }) => fileName === 'open.txt'));
  const refusal = await observer.refusal('observe/readFile', { ...target, path: `${directory}/secret` });
  assert.ok([-32600, -32603, -32004].includes(refusal.code), JSON.stringify(refusal));
});
