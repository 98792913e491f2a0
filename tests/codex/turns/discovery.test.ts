import { describe, expect, it } from 'vitest';
import { expectSameTurn } from '../compare/both-servers.js';

const skill = (name: string, body = 'Do it.') =>
  `---\nname: ${name}\ndescription: a skill called ${name}\n---\n${body}\n`;

describe('discovery', () => {
  it('finds AGENTS.md and skills of the workspace', async () => {
    const { opening } = await expectSameTurn(async () => {}, {
      files: {
        'AGENTS.md': '# rules\nBe brief.\n',
        '.agents/skills/demo/SKILL.md': skill('demo'),
        '.agents/skills/group/inner/SKILL.md': skill('inner'),
        '.agents/skills/.hidden/secret/SKILL.md': skill('secret'),
        '.agents/skills/broken/SKILL.md': 'no front matter',
      },
    });
    const text = opening.join('\n');
    expect(text).toContain('Be brief.');
    expect(text).toContain('a skill called demo');
    expect(text).toContain('a skill called inner');
    expect(text).not.toContain('a skill called secret');
  });

  it('prefers AGENTS.override.md and cuts what is too long', async () => {
    const { opening } = await expectSameTurn(async () => {}, {
      files: {
        'AGENTS.md': 'the plain rules\n',
        'AGENTS.override.md': `the other rules\n${'A long line of many rules.\n'.repeat(3_000)}`,
      },
    });
    expect(opening.join('\n')).toContain('the other rules');
    expect(opening.join('\n')).not.toContain('the plain rules');
  });

  it('goes on without rules where they cannot be read', async () => {
    await expectSameTurn(async () => {}, { files: { 'AGENTS.md/x': '', '.agents/skills': 'a file' } });
  });

  it('gives the text of a skill to a model that asks for it', async () => {
    await expectSameTurn(
      async (model) => {
        expect(await model.exec('cat .agents/skills/demo/SKILL.md')).toContain('Do it well.');
      },
      { files: { '.agents/skills/demo/SKILL.md': skill('demo', 'Do it well.') } },
    );
  });
});
