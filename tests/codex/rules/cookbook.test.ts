// The cookbook of docs/shell-tool.md, asked of the real codex.
import { afterAll, describe, expect, it } from 'vitest';
import { cookbook } from '../../../packages/execpolicy/test-support/cookbook.js';
import { RealRules } from './ask-real-codex.js';

const real = new RealRules();
afterAll(() => real[Symbol.dispose]());

describe('the cookbook in docs/shell-tool.md, by codex', () => {
  it.each(cookbook().map((recipe, index) => [index + 1, recipe] as const))('recipe %i', async (_, recipe) => {
    for (const { command, decision } of recipe.questions) {
      const { code, stdout } = await real.ask({ files: [recipe.rules], command, resolve: true });
      expect({ command, code, decision: (JSON.parse(stdout) as { decision?: string }).decision }).toEqual({
        command,
        code: 0,
        decision,
      });
    }
  });
});
