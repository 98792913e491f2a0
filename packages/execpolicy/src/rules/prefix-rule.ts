// One rule: a command matches when it starts with the pattern.

import { canonicalForm } from './canonical-form.js';
import type { Decision } from './decision.js';

export interface PrefixRule {
  readonly first: string;
  /** The tokens after the first, each with its alternatives. */
  readonly rest: readonly (readonly string[])[];
  readonly decision: Decision;
  readonly justification: string | undefined;
  /** Whether case and composition are ignored, see canonical-form.ts. */
  readonly isCanonical: boolean;
}

/** The length of the matching prefix, if the command has it. The caller has compared the first token already. */
export function matchRest({ rest, isCanonical }: PrefixRule, command: readonly string[]): number | undefined {
  if (command.length < rest.length + 1) return undefined;
  const isMatch = rest.every((alternatives, index) => {
    const token = command[index + 1] ?? '';
    if (alternatives.includes(token)) return true;
    if (!isCanonical) return false;
    const canonical = canonicalForm(token);
    return alternatives.some((alternative) => canonicalForm(alternative) === canonical);
  });
  return isMatch ? rest.length + 1 : undefined;
}
