// `capabilities/discoverV2`: what a user has at home.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ResultOf } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../process/support/served-server.js';
import { fileHelper } from '../sandboxed-fs/support/sandboxed-fs-fixture.js';
import { readOnlySandbox } from '../sandboxed-process/support/policies.js';

type Installed = ResultOf<'capabilities/discoverV2'>;

interface Question {
  readonly cwd?: string;
  readonly sandbox?: (home: string) => unknown;
}

/** Paths below the home are answered as `~`. */
async function discover(files: Record<string, string>, question: Question = {}): Promise<Installed> {
  const home = mkdtempSync(join(homedir(), '.installed-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [name, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    if (contents.startsWith('-> ')) symlinkSync(join(home, contents.slice(3)), join(home, name));
    else writeFileSync(join(home, name), contents);
  }
  const { client: connect } = await serve({
    env: { HOME: home, PATH: process.env['PATH'] },
    ...(question.sandbox && { fileHelper: fileHelper() }),
  });
  const client = await connect();
  const { cwd = 'file:///nowhere', sandbox } = question;
  const answer = await client.call('capabilities/discoverV2', { cwd, sandbox: sandbox?.(home) ?? null });
  const text = JSON.stringify(answer).replaceAll(`file://${home}`, '~').replaceAll(home, '~');
  return JSON.parse(text) as Installed;
}

const skill = (name: string) => `---\nname: ${name}\ndescription: does ${name}\n---\n`;
const described = (name: string) => ({
  name,
  description: `does ${name.slice(name.indexOf(':') + 1)}`,
  shortDescription: null,
  dependencies: null,
  policy: null,
});
const METADATA = 'some capability metadata could not be loaded; discovery may be incomplete';
const LOCATIONS = 'some capability locations could not be resolved; discovery may be incomplete';

describe('capabilities/discoverV2', () => {
  it('finds nothing where nothing is installed', async () => {
    expect(await discover({})).toMatchObject({ plugins: [], warnings: [] });
  });

  it('finds the skills of both homes, those of plugins among them by the name of the plugin', async () => {
    const { skills, warnings } = await discover({
      '.codex/skills/four/SKILL.md': skill('four'),
      '.codex/skills/.system/inner/SKILL.md': skill('inner'),
      '.agents/skills/group/.claude-plugin/plugin.json': '{"name":"space"}',
      '.agents/skills/group/deep/one/SKILL.md': skill('one'),
      'elsewhere/two/SKILL.md': skill('two'),
      '.agents/skills/linked': '-> elsewhere/two',
    });
    const codexHome = { id: 'codex-home-skills', path: '~/.codex/skills' };
    const agents = { id: 'user-agent-skills', path: '~/.agents/skills' };
    expect(skills.filter(({ discoveryRoot }) => discoveryRoot.id !== 'system-skills')).toEqual([
      { ...described('inner'), path: '~/.codex/skills/.system/inner/SKILL.md', discoveryRoot: codexHome },
      { ...described('four'), path: '~/.codex/skills/four/SKILL.md', discoveryRoot: codexHome },
      { ...described('space:one'), path: '~/.agents/skills/group/deep/one/SKILL.md', discoveryRoot: agents },
      { ...described('two'), path: '~/.agents/skills/linked/SKILL.md', discoveryRoot: agents },
    ]);
    expect(warnings).toEqual([]);
  });

  it('finds installed plugins with their files and skills, in their newest version', async () => {
    const cache = '.codex/plugins/cache/market';
    const manifest =
      '{"name":"plug","mcpServers":{"z":{"command":"y"},"a":1},"interface":{"displayName":"Plug!"}}';
    const { plugins, warnings } = await discover({
      [`${cache}/plug/2.0.0/.codex-plugin/plugin.json`]: '{}',
      [`${cache}/plug/10.0.0/.codex-plugin/plugin.json`]: manifest,
      [`${cache}/plug/10.0.0/.app.json`]: '{"apps":1}',
      [`${cache}/plug/10.0.0/skills/s/SKILL.md`]: skill('s'),
      [`${cache}/plug/.codex-remote-plugin-install.json`]: '{"schema_version":1,"remote_plugin_id":"id1"}',
      [`${cache}/not a name/1.0.0/.codex-plugin/plugin.json`]: '{}',
    });
    const root = `~/${cache}/plug/10.0.0`;
    const manifestPath = `${root}/.codex-plugin/plugin.json`;
    expect(plugins).toEqual([
      {
        id: 'plug@market',
        displayName: 'Plug!',
        remotePluginId: 'id1',
        version: '10.0.0',
        root,
        files: {
          manifest: { path: manifestPath, contents: manifest },
          mcpConfig: { path: manifestPath, contents: '{"z":{"command":"y"},"a":1}' },
          appsConfig: { path: `${root}/.app.json`, contents: '{"apps":1}' },
        },
        skills: [{ ...described('plug:s'), path: `${root}/skills/s/SKILL.md` }],
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('says for every place whether something was left out', async () => {
    const cache = '.codex/plugins/cache/m';
    const { plugins, skills, warnings } = await discover({
      '.agents/skills/bad/SKILL.md': 'no head',
      '.agents/skills/worse/SKILL.md': '---\nname: x\n---\n',
      '.agents/skills/good/SKILL.md': skill('good'),
      [`${cache}/a/1.0.0/.codex-plugin/plugin.json`]: 'not json',
      [`${cache}/b/1.0.0/README`]: 'no manifest',
      [`${cache}/c/1.0.0/.codex-plugin/plugin.json`]: '{"name":"c"}',
      [`${cache}/c/.codex-remote-plugin-install.json`]: '{}',
    });
    expect(plugins.map(({ id, remotePluginId }) => [id, remotePluginId])).toEqual([['c@m', null]]);
    expect(skills.map(({ name }) => name)).toContain('good');
    expect(warnings).toEqual([LOCATIONS, METADATA, METADATA, METADATA]);
  });

  it('answers with paths to who asks with a path', async () => {
    const { skills } = await discover({ '.agents/skills/a/SKILL.md': skill('a') }, { cwd: '/tmp' });
    expect(skills[0]?.path).toBe('~/.agents/skills/a/SKILL.md');
  });

  it('shows nothing that the sandbox of the request hides', async () => {
    const files = { '.agents/skills/a/SKILL.md': skill('a'), '.codex/skills/b/SKILL.md': skill('b') };
    const names = async (entries: (home: string) => unknown[]) => {
      const sandbox = (home: string) => readOnlySandbox({ entries: entries(home) });
      const { skills } = await discover(files, { sandbox });
      return skills.map(({ name }) => name);
    };
    expect(await names(() => [])).toEqual(['b', 'a']);
    const denied = (home: string) => ({
      path: { type: 'path', path: `file://${home}/.agents` },
      access: 'deny',
    });
    expect(await names((home) => [denied(home)])).toEqual(['b']);
  });
});
