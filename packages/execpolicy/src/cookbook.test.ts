import { describe, expect, it } from 'vitest';
import { cookbook } from '../test-support/cookbook.js';
import { parsePolicy } from './load/parse-policy.js';

describe('the cookbook in docs/shell-tool.md', () => {
  it('has recipes', () => expect(cookbook().length).toBeGreaterThanOrEqual(5));

  it.each(cookbook().map((recipe, index) => [index + 1, recipe] as const))('recipe %i', (_, recipe) => {
    const policy = parsePolicy({ file: 'recipe.rules', text: recipe.rules });
    const decided = recipe.questions.map(({ command }) => ({
      command,
      decision: policy.check(command, { resolveHostExecutables: true, cwd: '/' }).decision,
    }));
    expect(decided).toEqual(recipe.questions);
  });
});
