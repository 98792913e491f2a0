// The example of the README does what its comments say.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type CheckOptions, parsePolicy } from './index.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it('judges as the README says', () => {
  const [, example = ''] = /```ts example\n([\s\S]*?)```/.exec(README) ?? [];
  const [, text = ''] = /text: `([^`]*)`/.exec(example) ?? [];
  const policy = parsePolicy({ file: 'team.rules', text });
  const lines = [...example.matchAll(/^policy\.check\((\[.*?\])(?:, (\{.*\}))?\)\.decision; \/\/ (.*)$/gm)];
  expect(lines).toHaveLength(4);
  for (const [, command = '', options, expected = ''] of lines) {
    const argv = JSON.parse(command.replaceAll("'", '"')) as string[];
    const given: CheckOptions = { resolveHostExecutables: options === '{ resolveHostExecutables: true }' };
    expect(policy.check(argv, given).decision, command).toBe(
      expected === 'undefined' ? undefined : expected.slice(1, -1),
    );
  }
});
