// Prints a result as the JSON that Codex prints.

import type { CheckResult, RuleMatch } from './policy.js';

export function checkJson({ matchedRules, decision }: CheckResult, { pretty = false } = {}): string {
  const value = {
    matchedRules: matchedRules.map((match) => ({ prefixRuleMatch: inOrder(match) })),
    ...(decision === undefined ? {} : { decision }),
  };
  return JSON.stringify(value, undefined, pretty ? 2 : undefined);
}

function inOrder({ matchedPrefix, decision, resolvedProgram, justification }: RuleMatch): RuleMatch {
  return {
    matchedPrefix,
    decision,
    ...(resolvedProgram === undefined ? {} : { resolvedProgram }),
    ...(justification === undefined ? {} : { justification }),
  };
}
