// `environmentConfig/read` over files of its own: an administrator's directory, a Codex home, a project.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileUri } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { type Fixture, setUp } from '../fs/support/fs-fixture.js';

interface Stack {
  readonly layers: readonly { readonly source: string; readonly baseDir: string; readonly toml: string }[];
  readonly cloudInsertionIndex: number;
}

interface Answer {
  readonly userHomeDir: string;
  readonly codexHomeDir: string;
  readonly hostname: string;
  readonly config: Stack;
  readonly requirements: Stack;
}

async function onMachine(files: Record<string, string>): Promise<Fixture> {
  const where = await setUp();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(where.at(name)), { recursive: true });
    writeFileSync(where.at(name), text.replaceAll('$ROOT', where.directory));
  }
  mkdirSync(where.at('home'), { recursive: true });
  const env = { CODEX_HOME: where.at('home'), HOME: '/home/someone' };
  const { client } = await setUp({ env, systemConfigDir: where.at('etc') });
  return { ...where, client };
}

const params = (where: Fixture, more: object = {}) => ({
  cwd: where.uri('ws'),
  configPaths: [['mcp_servers']],
  requirementsPaths: [['mcp_servers']],
  ...more,
});

const ask = (where: Fixture, more: object = {}) =>
  where.client.call('environmentConfig/read', params(where, more)) as unknown as Promise<Answer>;

const sources = (where: Fixture, stack: Stack) =>
  stack.layers.map(({ source }) => source.replaceAll(where.directory, ''));

const server = (name: string) => `other = 1\n[mcp_servers.${name}]\ncommand = "${name}"\n`;
const trusting = (level: string) => `${server('user')}[projects."$ROOT/ws"]\ntrust_level = "${level}"\n`;

describe('environmentConfig/read', () => {
  it('gives the layers of the machine, lowest first, with only the keys that were asked for', async () => {
    const where = await onMachine({
      'etc/config.toml': server('system'),
      'home/config.toml': server('user'),
      'etc/managed_config.toml': server('managed'),
      'etc/requirements.toml': server('required'),
    });
    const answer = await ask(where);
    expect(answer).toMatchObject({
      userHomeDir: 'file:///home/someone',
      codexHomeDir: where.uri('home'),
      hostname: expect.any(String),
    });
    expect(sources(where, answer.config)).toEqual([
      'system (/etc/config.toml)',
      'user (/home/config.toml)',
      'legacy managed_config.toml (/etc/managed_config.toml)',
    ]);
    expect(answer.config.cloudInsertionIndex).toBe(1);
    expect(answer.config.layers[1]).toMatchObject({
      baseDir: where.uri('home'),
      toml: '[mcp_servers.user]\ncommand = "user"\n',
    });
    expect(sources(where, answer.requirements)).toEqual(['/etc/requirements.toml']);
    expect(answer.requirements.cloudInsertionIndex).toBe(1);
  });

  it('is empty on a machine without configuration', async () => {
    const where = await onMachine({});
    const nothing = { layers: [], cloudInsertionIndex: 0 };
    expect(await ask(where)).toMatchObject({ config: nothing, requirements: nothing });
  });

  it.each([
    [
      'trusted',
      ['user (/home/config.toml)', 'project (/ws/.codex/config.toml)', 'project (/ws/a/.codex/config.toml)'],
    ],
    ['untrusted', ['user (/home/config.toml)']],
  ])('of a %s project gives %j', async (level, expected) => {
    const where = await onMachine({
      'home/config.toml': trusting(level),
      'ws/.codex/config.toml': server('project'),
      'ws/a/.codex/config.toml': server('part'),
      'ws/a/b/.codex/nothing': '',
    });
    execFileSync('git', ['init', '-q', where.at('ws')]);
    const { config } = await ask(where, { cwd: where.uri('ws/a/b') });
    expect(sources(where, config)).toEqual(expected);
  });

  it('does not believe a project that trusts itself', async () => {
    const where = await onMachine({ 'ws/.codex/config.toml': trusting('trusted') });
    execFileSync('git', ['init', '-q', where.at('ws')]);
    expect((await ask(where)).config.layers).toEqual([]);
  });

  it('names file and place of what is no TOML', async () => {
    const where = await onMachine({ 'home/config.toml': 'a = 1\nmodel = = 3\n' });
    const refusal = await where.client.refusal('environmentConfig/read', params(where));
    expect(refusal.code).toBe(-32603);
    expect(refusal.message).toMatch(
      new RegExp(`^failed to load executor-local config: ${where.at('home/config.toml')}:2:\\d+: \\w`),
    );
  });

  it.each([
    [{ configPaths: [], requirementsPaths: [] }, 'at least one config or requirements path is required'],
    [{ configPaths: [[]] }, 'TOML paths must contain at least one key segment'],
  ])('refuses %j', async (more, message) => {
    const where = await onMachine({});
    const refusal = await where.client.refusal('environmentConfig/read', params(where, more));
    expect(refusal).toEqual({ code: -32602, message });
  });

  it('says when CODEX_HOME is not there', async () => {
    const { client, directory } = await setUp({ env: { CODEX_HOME: '/does/not/exist' } });
    const question = { cwd: pathToFileUri(directory), configPaths: [['a']], requirementsPaths: [] };
    expect(await client.refusal('environmentConfig/read', question)).toEqual({
      code: -32603,
      message:
        'failed to find Codex home: CODEX_HOME points to "/does/not/exist", but that path does not exist',
    });
  });

  it('sees what the same connection has written just before', async () => {
    const where = await onMachine({});
    const written = where.client.write(where.at('home/config.toml'), server('late'));
    const { config } = await ask(where);
    await written;
    expect(config.layers[0]?.toml).toContain('late');
  });
});
