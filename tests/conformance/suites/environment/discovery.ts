// Capabilities, configuration, and the watch over missing paths.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Conversation } from '../../client/conversation.js';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';

interface FoundRoot {
  readonly id: string;
  readonly plugin: { manifest: { contents: string }; mcpConfig: unknown; appsConfig: unknown } | null;
  readonly skills: readonly { instructions: { path: string; contents: string }; metadata: unknown }[];
  readonly namespaceManifests: readonly { contents: string }[];
  readonly warnings: readonly string[];
  readonly error: string | null;
}

const uri = (path: string): string => pathToFileURL(path).href;

async function plant(t: CheckContext, files: Record<string, string>): Promise<string> {
  const directory = await t.scratch();
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), contents);
  }
  return directory;
}

async function discover(t: CheckContext, paths: readonly string[]): Promise<FoundRoot[]> {
  const roots = paths.map((path, index) => ({ id: `root-${index}`, path: uri(path) }));
  return (await (await t.open()).call('capabilityRoots/discoverV1', { roots }))['roots'] as FoundRoot[];
}

verifies('capability.discover.plugin', async (t) => {
  const root = await plant(t, {
    '.codex-plugin/plugin.json': '{"name":"p"}',
    '.mcp.json': 'mcp',
    '.app.json': 'app',
    'skills/one/SKILL.md': 'one',
    'skills/one/agents/openai.yaml': 'meta',
    'skills/two/SKILL.md': 'two',
  });
  const [found] = await discover(t, [root]);
  const file = (name: string, contents: string) => ({ path: uri(join(root, name)), contents });
  const manifest = file('.codex-plugin/plugin.json', '{"name":"p"}');
  assert.deepEqual(found, {
    id: 'root-0',
    path: uri(root),
    plugin: { manifest, mcpConfig: file('.mcp.json', 'mcp'), appsConfig: file('.app.json', 'app') },
    skills: [
      {
        instructions: file('skills/one/SKILL.md', 'one'),
        metadata: file('skills/one/agents/openai.yaml', 'meta'),
      },
      { instructions: file('skills/two/SKILL.md', 'two'), metadata: null },
    ],
    namespaceManifests: [manifest],
    warnings: [],
    error: null,
  });
});

verifies('capability.discover.manifest-priority', async (t) => {
  const root = await plant(t, {
    'a/.cursor-plugin/plugin.json': 'cursor',
    'a/.claude-plugin/plugin.json': 'claude',
    'a/.codex-plugin/plugin.json': 'codex',
    'b/.cursor-plugin/plugin.json': 'cursor',
    'b/.claude-plugin/plugin.json': 'claude',
  });
  const found = await discover(t, [join(root, 'a'), join(root, 'b')]);
  assert.deepEqual(
    found.map(({ plugin }) => plugin?.manifest.contents),
    ['codex', 'claude'],
  );
  assert.deepEqual(
    found.map(({ namespaceManifests }) => namespaceManifests.length),
    [1, 1],
  );
});

verifies('capability.discover.below-root', async (t) => {
  const root = await plant(t, {
    'p/.codex-plugin/plugin.json': '{"mcpServers":"./../outside.json","apps":"../outside.json"}',
    'outside.json': 'secret',
  });
  const [found] = await discover(t, [join(root, 'p')]);
  assert.deepEqual([found?.plugin?.mcpConfig, found?.plugin?.appsConfig], [null, null]);
  assert.match(
    found?.warnings[0] ?? '',
    /^ignoring mcpServers in .*: path must remain below the capability root$/,
  );
  assert.match(found?.warnings[1] ?? '', /^ignoring apps in .*: path must start with `\.\/`$/);
});

verifies('capability.discover.errors-per-root', async (t) => {
  const root = await plant(t, { file: '', 'good/SKILL.md': 'good' });
  const found = await discover(t, [join(root, 'absent'), join(root, 'file'), join(root, 'good')]);
  assert.match(found[0]?.error ?? '', /^failed to inspect capability root .*: No such file or directory/);
  assert.match(found[1]?.error ?? '', /^capability root .* is not a directory$/);
  assert.deepEqual([found[2]?.error, found[2]?.skills.length], [null, 1]);
});

verifies('capability.discover.root-limit', async (t) => {
  const roots = Array.from({ length: 129 }, (_, index) => ({ id: `${index}`, path: 'file:///' }));
  const refusal = await (await t.open()).refusal('capabilityRoots/discoverV1', { roots });
  assert.deepEqual(
    [refusal.code, refusal.message],
    [-32600, 'capability root discovery accepts at most 128 roots'],
  );
});

verifies('environment-config.read.shape', async (t) => {
  const params = {
    cwd: uri(await t.scratch()),
    configPaths: [['no_such_key']],
    requirementsPaths: [['no_such_key']],
  };
  const answer = await (await t.open()).call('environmentConfig/read', params);
  assert.match(String(answer['codexHomeDir']), /^file:\/\/\//);
  const nothing = { layers: [], cloudInsertionIndex: 0 };
  assert.deepEqual([answer['config'], answer['requirements']], [nothing, nothing]);
});

verifies('environment-config.read.selectors', async (t) => {
  const connection = await t.open();
  const cases: [object, string][] = [
    [{ configPaths: [], requirementsPaths: [] }, 'at least one config or requirements path is required'],
    [{ configPaths: [[]], requirementsPaths: [] }, 'TOML paths must contain at least one key segment'],
  ];
  for (const [paths, message] of cases) {
    const refusal = await connection.refusal('environmentConfig/read', { cwd: 'file:///', ...paths });
    assert.deepEqual([refusal.code, refusal.message], [-32602, message]);
  }
});

const watchMissing = async (connection: Conversation, params: object) =>
  (await connection.call('fs/watchMissing', params))['watching'];

const told = (connection: Conversation) =>
  connection.received
    .filter(({ method }) => method === 'fs/missingChanged')
    .map(({ params }) => params?.['watchId']);

const untilTold = (connection: Conversation, watchId: number) =>
  connection.until(() => told(connection).includes(watchId) || undefined, `fs/missingChanged of ${watchId}`);

verifies('fs.watch-missing.tells-once', async (t) => {
  const directory = await t.scratch();
  const connection = await t.open();
  const missing = ['one', 'two'].map((name) => uri(join(directory, name)));
  assert.equal(await watchMissing(connection, { watchId: 1, missing }), true);
  writeFileSync(join(directory, 'two'), '');
  await untilTold(connection, 1);
  writeFileSync(join(directory, 'one'), '');
  // A second watch is told after whatever the first one might still say.
  assert.equal(
    await watchMissing(connection, { watchId: 2, missing: [uri(join(directory, 'three'))] }),
    true,
  );
  writeFileSync(join(directory, 'three'), '');
  await untilTold(connection, 2);
  assert.deepEqual(told(connection), [1, 2]);
});

verifies('fs.watch-missing.ancestor', async (t) => {
  const directory = await t.scratch();
  const connection = await t.open();
  assert.equal(
    await watchMissing(connection, { watchId: 1, missing: [uri(join(directory, 'a/b/c'))] }),
    true,
  );
  mkdirSync(join(directory, 'a'));
  await untilTold(connection, 1);
});

verifies('fs.watch-missing.present', async (t) => {
  const directory = await plant(t, { there: 'one' });
  const connection = await t.open();
  const params = { missing: [uri(join(directory, 'absent'))], present: uri(join(directory, 'there')) };
  assert.equal(await watchMissing(connection, { watchId: 1, ...params }), true);
  writeFileSync(join(directory, 'there'), 'two');
  await untilTold(connection, 1);
});

verifies('fs.watch-missing.not-watching', async (t) => {
  const directory = await plant(t, { there: '' });
  const connection = await t.open();
  const many = Array.from({ length: 65 }, (_, index) => uri(join(directory, `absent-${index}`)));
  const cases = [[], [uri(join(directory, 'there'))], [uri(join(directory, 'there/below'))], many];
  for (const [index, missing] of cases.entries()) {
    assert.equal(await watchMissing(connection, { watchId: index + 1, missing }), false, `case ${index}`);
  }
  assert.equal(await watchMissing(connection, { watchId: 9, missing: many.slice(1) }), true);
});

verifies('fs.watch-missing.replaced', async (t) => {
  const directory = await t.scratch();
  const connection = await t.open();
  const missing = (name: string) => [uri(join(directory, name))];
  assert.equal(await watchMissing(connection, { watchId: 2, missing: missing('one') }), true);
  assert.equal(await watchMissing(connection, { watchId: 1, missing: missing('two') }), false);
  assert.equal(await watchMissing(connection, { watchId: 3, missing: missing('three') }), true);
  for (const name of ['one', 'two', 'three']) writeFileSync(join(directory, name), '');
  await untilTold(connection, 3);
  assert.deepEqual(told(connection), [3]);
});

verifies('capability.installed.answer', async (t) => {
  const connection = await t.open();
  const sandbox = { permissions: { type: 'disabled' }, cwd: 'file:///', windowsSandboxLevel: 'disabled' };
  for (const more of [{}, { sandbox: null }, { sandbox }]) {
    const found = await connection.call('capabilities/discoverV2', { cwd: 'file:///', ...more });
    assert.deepEqual(Object.keys(found).sort(), ['plugins', 'skills', 'warnings']);
    assert.ok(Object.values(found).every(Array.isArray));
  }
});

verifies('capability.installed.missing-cwd', async (t) => {
  const refusal = await (await t.open()).refusal('capabilities/discoverV2', {});
  assert.deepEqual({ ...refusal }, { code: -32602, message: 'missing field `cwd`' });
});
