import { describe, expect, it } from 'vitest';
import { parseSkillFrontMatter } from './skill-front-matter.js';

const parsed = (head: string) => parseSkillFrontMatter(`---\n${head}\n---\nbody\n`);

describe('parseSkillFrontMatter', () => {
  it('reads name, description and short description on one line each', () => {
    expect(
      parsed(
        'name:   a   b\ndescription: |\n  one\n  two\nmetadata:\n  short-description: " s   t "\nother: [1]',
      ),
    ).toEqual({ name: 'a b', description: 'one two', shortDescription: 's t' });
  });

  it.each([
    ['description: x', { name: undefined, description: 'x' }],
    ['name: ""\ndescription: x', { name: undefined }],
    ['name: null\ndescription: x', { name: undefined }],
    ['name: "null"\ndescription: x', { name: 'null' }],
    ['name: 1.50\ndescription: 0x10', { name: '1.50', description: '0x10' }],
    ['name: a\ndescription: true', { description: 'true' }],
    [`name: ${'n'.repeat(64)}\ndescription: x`, { name: 'n'.repeat(64) }],
    ['name: a\ndescription: use when: "quoted" # comment', { description: 'use when: "quoted"' }],
    ['name: a\ndescription: @at', { description: '@at' }],
    ['name: a\ndescription: -x: y', { description: '-x: y' }],
    ['name: a\ndescription: x\nallowed-tools: Bash(git: *)', { description: 'x' }],
  ])('takes %j', (head, expected) => {
    expect(parsed(head)).toMatchObject(expected);
  });

  it.each([
    'name: a',
    'name: a\ndescription: ""',
    'name: a\ndescription: null',
    'name: a\ndescription: [x]',
    'name: [a]\ndescription: x',
    `name: ${'n'.repeat(65)}\ndescription: x`,
    'name: a\ndescription: x\nmetadata: null',
    'name: a\ndescription: x\nmetadata: 5',
    'name: a\ndescription: x\nname: b',
    'name: a\ndescription: - dash',
    'name: a\ndescription: "unclosed',
    'name: a\ndescription: a\n  continued: line',
    '- a',
    '',
    `name: a\ndescription: ${'x'.repeat(70_000)}`,
  ])('does not take %j', (head) => {
    expect(parsed(head)).toBeUndefined();
  });

  it.each([
    'no head',
    '\n---\ndescription: x\n---\n',
    '---\ndescription: x\n',
    '\ufeff---\ndescription: x\n---\n',
  ])('finds no head in %j', (text) => {
    expect(parseSkillFrontMatter(text)).toBeUndefined();
  });

  it('takes any line ends and blanks behind the dashes', () => {
    expect(parseSkillFrontMatter('---  \r\nname: a\r\ndescription: x\r\n--- \r\n')).toMatchObject({
      name: 'a',
    });
  });
});
