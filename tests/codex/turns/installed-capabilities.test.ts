// The CLI's `executor_capability_discovery_v2`, which is off by default: skills and plugins of the server's user.
import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';

const skill = (name: string) =>
  `---\nname: ${name}\ndescription: a skill called ${name}\n---\nDo ${name} well.\n`;

const config = () => [
  '[features]',
  'executor_capability_discovery = true',
  'executor_capability_discovery_v2 = true',
];

const PLUGIN = '.codex/plugins/cache/market/plug';

const homeFiles = {
  '.agents/skills/from-home/SKILL.md': skill('from-home'),
  '.agents/skills/quiet/SKILL.md': skill('quiet'),
  '.agents/skills/quiet/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
  '.agents/skills/colon/SKILL.md': '---\nname: colon\ndescription: use when: needed\n---\n',
  '.agents/skills/broken/SKILL.md': 'no head',
  '.codex/skills/from-codex-home/SKILL.md': skill('from-codex-home'),
  [`${PLUGIN}/1.0.0/.codex-plugin/plugin.json`]: '{"name":"plug","description":"old"}',
  [`${PLUGIN}/2.0.0/.codex-plugin/plugin.json`]: '{"name":"plug","description":"a plugin"}',
  [`${PLUGIN}/2.0.0/skills/plugged/SKILL.md`]: skill('plugged'),
};

describe('what the user of the server has installed', () => {
  it.each(['danger-full-access', 'read-only'] as const)('is told to the model: %s', async (sandbox) => {
    const { opening } = await expectSameTurn(
      async (model) => {
        expect(await model.exec('cat ~/.agents/skills/from-home/SKILL.md')).toContain('Do from-home well.');
      },
      { config, homeFiles, sandbox, files: { '.agents/skills/near/SKILL.md': skill('near') } },
    );
    const text = opening.join('\n');
    expect(text).toContain('a skill called from-home');
    expect(text).toContain('a skill called from-codex-home');
  });
});
