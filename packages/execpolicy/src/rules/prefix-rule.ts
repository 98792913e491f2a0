// One rule: a command matches when it starts with the pattern.

import { canonicalForm, canonicalFormWithin } from './canonical-form.js';
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
    return isCanonical && hasSameForm(alternatives, token);
  });
  return isMatch ? rest.length + 1 : undefined;
}

interface Forms {
  readonly all: ReadonlySet<string>;
  readonly longest: number;
}

/** Made once for each list: a rule may have very many alternatives, and every exec of a shell is compared with them. */
const formsOf = new WeakMap<readonly string[], Forms>();

function hasSameForm(alternatives: readonly string[], token: string): boolean {
  const forms = formsOf.get(alternatives) ?? makeForms(alternatives);
  const form = canonicalFormWithin(forms.longest, token);
  return form !== undefined && forms.all.has(form);
}

function makeForms(alternatives: readonly string[]): Forms {
  const all = new Set(alternatives.map(canonicalForm));
  let longest = 0;
  for (const { length } of all) longest = Math.max(longest, length);
  const forms = { all, longest };
  formsOf.set(alternatives, forms);
  return forms;
}
