// The rules of docs/shell-tool.md with what is said to be decided, so that tests can ask.
import { readFileSync } from 'node:fs';

export interface CookbookRecipe {
  readonly rules: string;
  readonly questions: readonly {
    readonly command: readonly string[];
    readonly decision: string | undefined;
  }[];
}

const DOCUMENT = new URL('../../../docs/shell-tool.md', import.meta.url);
const RECIPE = /```python rules\n(.*?)```\s*```text decisions\n(.*?)```/gs;

export function cookbook(): CookbookRecipe[] {
  return [...readFileSync(DOCUMENT, 'utf8').matchAll(RECIPE)].map(([, rules = '', decisions = '']) => ({
    rules,
    questions: decisions.trimEnd().split('\n').map(questionOf),
  }));
}

/** The last word of a line is the decision, a dash means that there is none. */
function questionOf(line: string): CookbookRecipe['questions'][number] {
  const words = line.trim().split(/\s+/);
  const decision = words.pop();
  return { command: words, decision: decision === '-' ? undefined : decision };
}
