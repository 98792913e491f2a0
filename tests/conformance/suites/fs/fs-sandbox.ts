// Files under a policy that restricts them: watches and discovery.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verifies } from '../../runner/registry.js';
import { assertRefused, NOT_FOUND, type Workplace, workplace } from './fs-fixture.js';

type Access = 'read' | 'write' | 'deny';

function policy(cwd: string, entries: readonly (readonly [path: string, access: Access])[]) {
  const uri = (path: string) => pathToFileURL(path).href;
  return {
    permissions: {
      type: 'managed',
      file_system: {
        type: 'restricted',
        entries: entries.map(([path, access]) => ({ path: { type: 'path', path: uri(path) }, access })),
      },
      network: 'restricted',
    },
    cwd: uri(cwd),
    workspaceRoots: [uri(cwd)],
    windowsSandboxLevel: 'disabled',
  };
}

interface Change {
  readonly path: string;
  readonly kind: string;
}

const changesOf = ({ connection }: Workplace): Change[] =>
  connection.received
    .filter((message) => message.method === 'fs/changed')
    .flatMap((message) => message.params?.['changes'] as Change[]);

async function untilChanged(place: Workplace, name: string, kind: string): Promise<void> {
  const isIt = (change: Change) => change.path === place.uri(name) && change.kind === kind;
  await place.connection.until(() => changesOf(place).find(isIt), `${kind} of ${name}`);
}

verifies('fs.sandbox.watch', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('open/sub'), { recursive: true });
  await mkdir(place.path('closed'));
  const sandbox = policy(place.directory, [[place.path('open'), 'read']]);
  const watch = (name: string) => ({ watchId: 'w', path: place.uri(name), recursive: true, sandbox });
  for (const name of ['', 'closed', 'open/missing']) {
    await assertRefused(place.connection, ['fs/watch', watch(name)], NOT_FOUND);
  }
  assert.deepEqual(await place.connection.call('fs/watch', watch('open')), { watchId: 'w' });
  await writeFile(place.path('open/sub/file'), 'x');
  await untilChanged(place, 'open/sub/file', 'created');
  assert.deepEqual(await place.connection.call('fs/unwatch', { watchId: 'w' }), {});
});

verifies('fs.sandbox.watch-hides', async (t) => {
  const place = await workplace(t);
  for (const name of ['open/denied', 'closed']) await mkdir(place.path(name), { recursive: true });
  await symlink(place.path('closed'), place.path('open/link'));
  const sandbox = policy(place.directory, [
    [place.path('open'), 'write'],
    [place.path('open/denied'), 'deny'],
    [place.path('open/later'), 'deny'],
  ]);
  const params = { watchId: 'w', path: place.uri('open'), recursive: true, sandbox };
  await place.connection.call('fs/watch', params);
  for (const name of ['open/denied/a', 'closed/a', 'open/later']) await writeFile(place.path(name), 'x');
  await writeFile(place.path('open/seen'), 'x');
  await untilChanged(place, 'open/seen', 'created');
  const others = changesOf(place).filter(({ path }) => path !== place.uri('open/seen'));
  assert.deepEqual(others, []);
});

verifies('fs.sandbox.watch-missing', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('open'));
  const sandbox = policy(place.directory, [[place.path('open'), 'read']]);
  const ask = (watchId: number, name: string) =>
    place.connection.call('fs/watchMissing', { watchId, missing: [place.uri(name)], sandbox });
  assert.deepEqual(await ask(1, 'closed'), { watching: false });
  assert.deepEqual(await ask(2, 'open/new'), { watching: true });
  await writeFile(place.path('open/new'), 'x');
  const isTold = () =>
    place.connection.received.some(
      ({ method, params }) => method === 'fs/missingChanged' && params?.['watchId'] === 2,
    );
  await place.connection.until(() => isTold() || undefined, 'fs/missingChanged');
});

interface FoundRoot {
  readonly skills: readonly { readonly instructions: { readonly contents: string } }[];
  readonly error: string | null;
}

verifies('capability.discover.sandbox', async (t) => {
  const place = await workplace(t);
  for (const name of ['open/skill', 'closed/skill']) {
    await mkdir(place.path(name), { recursive: true });
    await writeFile(join(place.path(name), 'SKILL.md'), name);
  }
  const sandbox = policy(place.directory, [[place.path('open'), 'read']]);
  const roots = ['open', 'closed'].map((id) => ({ id, path: place.uri(id), sandbox }));
  const answer = await place.connection.call('capabilityRoots/discoverV1', { roots });
  const [open, closed] = answer['roots'] as [FoundRoot, FoundRoot];
  assert.deepEqual(
    open.skills.map(({ instructions }) => instructions.contents),
    ['open/skill'],
  );
  assert.deepEqual([open.error, closed.skills], [null, []]);
  assert.match(String(closed.error), /No such file or directory/);
});
