// Checks the examples of a rule: commands that it has to match, and others that it must not.

import type { HostExecutables } from '../rules/host-executables.js';
import type { PrefixRule } from '../rules/prefix-rule.js';
import type { Examples } from '../rules/rule-builtins.js';
import { RuleSet } from '../rules/rule-set.js';
import { matchCommand } from './policy.js';

/** What the first failing examples are; they concern the rules of their own call only. */
export function exampleProblem(
  rules: readonly PrefixRule[],
  { match, notMatch }: Examples,
  hostExecutables: HostExecutables,
): string | undefined {
  const own = new RuleSet(rules);
  const isMatched = (command: readonly string[]) =>
    matchCommand(command, own, hostExecutables, { resolveHostExecutables: true }).length > 0;
  const wrong = notMatch.find(isMatched);
  if (wrong !== undefined) return `the rule matches an example of not_match: ${JSON.stringify(wrong)}`;
  const missed = match.filter((example) => !isMatched(example));
  if (missed.length === 0) return undefined;
  return `the rule does not match these examples: ${missed.map((example) => JSON.stringify(example)).join(', ')}`;
}
