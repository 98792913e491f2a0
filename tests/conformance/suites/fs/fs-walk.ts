// Walking a directory tree within limits.
import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import type { JsonObject } from '../../client/message.js';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';
import { assertRefused, NOT_FOUND, type Workplace, workplace } from './fs-fixture.js';

const OPTIONS = { maxDepth: 64, maxDirectories: 10_000, maxEntries: 50_000, followDirectorySymlinks: false };
const EVERYTHING = ['.hid', '.hidden/', 'a', 'sub/', '.hidden/x', 'sub/b', 'sub/deep/', 'sub/deep/c'];

verifies('fs.walk.order', async (t) => {
  const place = await tree(t);
  assert.deepEqual(await walk(place), { names: EVERYTHING, errors: [], truncated: false });
});

verifies('fs.walk.depth', async (t) => {
  const place = await tree(t);
  const depths = [EVERYTHING.slice(0, 4), EVERYTHING.slice(0, 7), EVERYTHING];
  for (const [maxDepth, names] of depths.entries()) {
    assert.deepEqual(
      await walk(place, { maxDepth }),
      { names, errors: [], truncated: false },
      `depth ${maxDepth}`,
    );
  }
});

verifies('fs.walk.directory-limit', async (t) => {
  const place = await tree(t);
  assert.deepEqual(await walk(place, { maxDirectories: 1 }), {
    names: EVERYTHING.slice(0, 4),
    errors: [],
    truncated: true,
  });
  assert.deepEqual(await walk(place, { maxDirectories: 2 }), {
    names: EVERYTHING.slice(0, 5),
    errors: [],
    truncated: true,
  });
  assert.deepEqual(await walk(place, { maxDirectories: 4 }), {
    names: EVERYTHING,
    errors: [],
    truncated: false,
  });
});

verifies('fs.walk.entry-limit', async (t) => {
  const place = await tree(t);
  assert.deepEqual(await walk(place, { maxEntries: 2 }), {
    names: EVERYTHING.slice(0, 2),
    errors: [],
    truncated: true,
  });
  assert.deepEqual(await walk(place, { maxEntries: 8 }), { names: EVERYTHING, errors: [], truncated: false });
});

verifies('fs.walk.limits-checked-first', async (t) => {
  const { connection, uri } = await tree(t);
  const zero = { code: -32600, message: 'filesystem walk limits must be greater than zero' };
  const over = {
    code: -32600,
    message: 'filesystem walk limits exceed maximums: depth=64, directories=10000, entries=50000',
  };
  const missing = (options: JsonObject) =>
    ['fs/walk', { path: uri('missing'), options: { ...OPTIONS, ...options } }] as const;
  await assertRefused(connection, missing({ maxDirectories: 0 }), zero);
  await assertRefused(connection, missing({ maxEntries: 0 }), zero);
  await assertRefused(connection, missing({ maxDepth: 65 }), over);
  await assertRefused(connection, missing({ maxDirectories: 10_001 }), over);
  await assertRefused(connection, missing({ maxEntries: 50_001 }), over);
});

verifies('fs.walk.options-required', async (t) => {
  const { connection, uri } = await tree(t);
  const path = uri('root');
  await assertRefused(connection, ['fs/walk', { path }], {
    code: -32602,
    message: 'missing field `options`',
  });
  for (const field of Object.keys(OPTIONS)) {
    const { [field as keyof typeof OPTIONS]: _omitted, ...options } = OPTIONS;
    const expected = { code: -32602, message: `missing field \`${field}\`` };
    await assertRefused(connection, ['fs/walk', { path, options }], expected);
  }
});

verifies('fs.walk.root', async (t) => {
  const { connection, uri } = await tree(t);
  const nothing = { entries: [], errors: [], truncated: false };
  assert.deepEqual(await connection.call('fs/walk', { path: uri('root/a'), options: OPTIONS }), nothing);
  await assertRefused(connection, ['fs/walk', { path: uri('missing'), options: OPTIONS }], NOT_FOUND);
});

verifies('fs.walk.links', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('root'));
  await mkdir(place.path('elsewhere'));
  await writeFile(place.path('elsewhere/file'), '');
  await symlink('../elsewhere', place.path('root/way'));
  await symlink('../elsewhere/file', place.path('root/link'));
  await symlink('nowhere', place.path('root/dangling'));
  await symlink('root', place.path('root-link'));
  const follow = { followDirectorySymlinks: true };
  assert.deepEqual((await walk(place)).names, []);
  assert.deepEqual((await walk(place, follow)).names, ['way/', 'way/file']);
  assert.deepEqual((await walk(place, {}, 'root-link')).names, []);
  assert.deepEqual((await walk(place, follow, 'root-link')).names, ['way/', 'way/file']);
});

verifies('fs.walk.cycle', async (t) => {
  const place = await workplace(t);
  await mkdir(place.path('root/in'), { recursive: true });
  await symlink('..', place.path('root/in/up'));
  assert.deepEqual((await walk(place, { followDirectorySymlinks: true })).names, ['in/', 'in/up/']);
});

verifies('fs.walk.hidden', async (t) => {
  const place = await tree(t);
  const names = EVERYTHING.filter((name) => name !== '.hidden/x');
  assert.deepEqual((await walk(place, { pruneHiddenDirectories: true })).names, names);
});

verifies('fs.walk.not-utf8', async (t) => {
  const place = await tree(t);
  await writeFile(Buffer.concat([Buffer.from(place.path('root/bad')), Buffer.of(0xff)]), '');
  const { names } = await walk(place);
  assert.deepEqual(
    names.filter((name) => EVERYTHING.includes(name)),
    EVERYTHING,
  );
});

async function tree(t: CheckContext): Promise<Workplace> {
  const place = await workplace(t);
  for (const name of EVERYTHING) {
    const path = place.path(`root/${name}`);
    if (name.endsWith('/')) await mkdir(path, { recursive: true });
    else {
      await mkdir(place.path(`root/${name.split('/').slice(0, -1).join('/')}`), { recursive: true });
      await writeFile(path, '');
    }
  }
  return place;
}

interface Walked {
  /** Relative to the root, directories with a slash at the end. */
  readonly names: string[];
  readonly errors: unknown;
  readonly truncated: unknown;
}

async function walk(place: Workplace, options: JsonObject = {}, root = 'root'): Promise<Walked> {
  const path = place.uri(root);
  const result = await place.connection.call('fs/walk', { path, options: { ...OPTIONS, ...options } });
  const names = (result['entries'] as { path: string; kind: string }[]).map((entry) => {
    assert.ok(entry.path.startsWith(`${path}/`), `${entry.path} is below ${path}`);
    return entry.path.slice(path.length + 1) + (entry.kind === 'directory' ? '/' : '');
  });
  return { names, errors: result['errors'], truncated: result['truncated'] };
}
