// `capabilityRoots/discoverV1` over directories of its own.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CapabilityRoot } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { type Fixture, makeFifo, setUp } from '../fs/support/fs-fixture.js';

async function withFiles(files: Record<string, string | Uint8Array>): Promise<Fixture> {
  const where = await setUp();
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(where.at(name)), { recursive: true });
    writeFileSync(where.at(name), contents);
  }
  return where;
}

async function discover(where: Fixture, ...names: string[]): Promise<CapabilityRoot[]> {
  const roots = names.map((name) => ({ id: name, path: where.uri(name) }));
  const answer = await where.client.call<{ roots: CapabilityRoot[] }>('capabilityRoots/discoverV1', {
    roots,
  });
  return answer.roots;
}

async function discoverOne(where: Fixture, name: string): Promise<CapabilityRoot> {
  const [root] = await discover(where, name);
  if (root === undefined) throw new Error('no answer for the root');
  return root;
}

const skillsOf = (where: Fixture, root: CapabilityRoot) =>
  root.skills.map(({ instructions }) => instructions.path.replace(`${where.uri('')}/`, ''));

describe('capabilityRoots/discoverV1', () => {
  it('gives a plugin with its files, its skills with their metadata, and the plugins below', async () => {
    const where = await withFiles({
      'p/.codex-plugin/plugin.json': '{"name":"p"}',
      'p/.claude-plugin/plugin.json': '{"name":"not preferred"}',
      'p/.mcp.json': '{"mcpServers":{}}',
      'p/.app.json': '{}',
      'p/skills/one/SKILL.md': 'one',
      'p/skills/one/agents/openai.yaml': 'interface: {}',
      'p/skills/two/SKILL.md': 'two',
      'p/sub/.cursor-plugin/plugin.json': '{"name":"sub"}',
    });
    const file = (name: string, contents: string) => ({ path: where.uri(name), contents });
    expect(await discover(where, 'p')).toEqual([
      {
        id: 'p',
        path: where.uri('p'),
        plugin: {
          manifest: file('p/.codex-plugin/plugin.json', '{"name":"p"}'),
          mcpConfig: file('p/.mcp.json', '{"mcpServers":{}}'),
          appsConfig: file('p/.app.json', '{}'),
        },
        skills: [
          {
            instructions: file('p/skills/one/SKILL.md', 'one'),
            metadata: file('p/skills/one/agents/openai.yaml', 'interface: {}'),
          },
          { instructions: file('p/skills/two/SKILL.md', 'two'), metadata: null },
        ],
        namespaceManifests: [
          file('p/.codex-plugin/plugin.json', '{"name":"p"}'),
          file('p/sub/.cursor-plugin/plugin.json', '{"name":"sub"}'),
        ],
        warnings: [],
        error: null,
      },
    ]);
  });

  it('looks six levels deep, into hidden and linked directories, at files of the exact name', async () => {
    const where = await withFiles({
      'r/.hidden/SKILL.md': '',
      'r/SKILL.md': '',
      'r/1/2/3/4/5/6/SKILL.md': '',
      'r/1/2/3/4/5/6/7/SKILL.md': '',
      'r/lower/skill.md': '',
      'other/SKILL.md': '',
    });
    symlinkSync(where.at('other'), where.at('r/link'));
    symlinkSync(where.at('other/SKILL.md'), where.at('r/1/SKILL.md'));
    mkdirSync(where.at('r/fifo'));
    makeFifo(where.at('r/fifo/SKILL.md'));
    expect(skillsOf(where, await discoverOne(where, 'r'))).toEqual([
      'r/.hidden/SKILL.md',
      'r/1/2/3/4/5/6/SKILL.md',
      'r/SKILL.md',
      'r/link/SKILL.md',
    ]);
  });

  it('follows what the manifest names, below the root only', async () => {
    const where = await withFiles({
      'inline/.codex-plugin/plugin.json': '{"mcpServers":{"a":{}},"apps":"./conf/apps.json"}',
      'inline/.mcp.json': 'unused',
      'inline/conf/apps.json': 'named',
      'escape/.codex-plugin/plugin.json': '{"mcpServers":"./../secret.json","apps":"/etc/passwd"}',
      'secret.json': 'secret',
    });
    const [inline, leaving] = await discover(where, 'inline', 'escape');
    expect(inline?.plugin).toMatchObject({ mcpConfig: null, appsConfig: { contents: 'named' } });
    expect(leaving?.plugin).toMatchObject({ mcpConfig: null, appsConfig: null });
    const manifest = where.uri('escape/.codex-plugin/plugin.json');
    expect(leaving?.warnings).toEqual([
      `ignoring mcpServers in ${manifest}: path must remain below the capability root`,
      `ignoring apps in ${manifest}: path must start with \`./\``,
    ]);
  });

  it('warns of what is too large or no text, and goes on', async () => {
    const large = Buffer.alloc(1_000_000, 'a');
    const where = await withFiles({
      'r/big/SKILL.md': Buffer.alloc(1024 * 1024 + 1, 'a'),
      'r/bytes/SKILL.md': Buffer.from([0xff]),
      'r/good/SKILL.md': 'good',
      ...Object.fromEntries(Array.from({ length: 18 }, (_, index) => [`many/s${index}/SKILL.md`, large])),
    });
    const root = await discoverOne(where, 'r');
    expect(root.skills.map(({ instructions }) => instructions.contents)).toEqual(['good']);
    expect(root.warnings.toSorted()).toEqual([
      `capability file ${where.uri('r/big/SKILL.md')} exceeds the 1048576-byte limit`,
      `capability file ${where.uri('r/bytes/SKILL.md')} is not UTF-8`,
    ]);
    const many = await discoverOne(where, 'many');
    expect(many.skills).toHaveLength(16);
    expect(many.warnings).toEqual(Array(2).fill('capability root bundle exceeds the 16777216-byte limit'));
  });

  it('keeps the answer for many roots within what a message may hold', async () => {
    const large = Buffer.alloc(1024 * 1024, 'a');
    const where = await withFiles(
      Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`r/s${index}/SKILL.md`, large])),
    );
    const answers = await discover(where, 'r', 'r', 'r', 'r');
    const count = answers.reduce((sum, { skills }) => sum + skills.length, 0);
    expect(count).toBeGreaterThan(24);
    expect(count).toBeLessThanOrEqual(48);
    expect(answers.flatMap(({ warnings }) => warnings)).toContain(
      'capability discovery exceeds the 50331648 bytes of one answer',
    );
  });

  it('answers for every root, in order, whatever is wrong with one', async () => {
    const where = await withFiles({ 'a/SKILL.md': 'a', file: '' });
    const answers = await discover(where, 'missing', 'file', 'a');
    expect(answers.map(({ error }) => error)).toEqual([
      `failed to inspect capability root ${where.uri('missing')}: No such file or directory (os error 2)`,
      `capability root ${where.uri('file')} is not a directory`,
      null,
    ]);
  });

  it('answers with paths when it was asked with paths', async () => {
    const where = await withFiles({ 'r/a b/SKILL.md': '' });
    const roots = [{ id: 'r', path: where.at('r') }];
    const answer = await where.client.call<{ roots: CapabilityRoot[] }>('capabilityRoots/discoverV1', {
      roots,
    });
    expect(answer.roots[0]?.skills[0]?.instructions.path).toBe(where.at('r/a b/SKILL.md'));
  });

  it('refuses more than 128 roots, and a restriction that it cannot enforce', async () => {
    const where = await withFiles({ 'r/SKILL.md': '' });
    const root = { id: 'r', path: where.uri('r') };
    const refuse = (roots: object[]) => where.client.refusal('capabilityRoots/discoverV1', { roots });
    expect(await refuse(Array(129).fill(root))).toEqual({
      code: -32600,
      message: 'capability root discovery accepts at most 128 roots',
    });
    const sandbox = {
      permissions: {
        type: 'managed',
        file_system: { type: 'restricted', entries: [] },
        network: 'restricted',
      },
      windowsSandboxLevel: 'disabled',
    };
    expect(await refuse([{ ...root, sandbox }])).toEqual({
      code: -32600,
      message:
        'filesystem sandbox cannot be enforced on this executor: the file helper (codex-fs) is not installed with this server',
    });
  });
});
