// Rules by their first token, as it is written and in its canonical form.

import { canonicalForm, canonicalFormWithin } from './canonical-form.js';
import { matchRest, type PrefixRule } from './prefix-rule.js';

export interface FoundRule {
  readonly rule: PrefixRule;
  readonly prefix: readonly string[];
}

export class RuleSet {
  readonly #bySpelling = new Map<string, PrefixRule[]>();
  /** Only those that ask for it. */
  readonly #byCanonicalForm = new Map<string, PrefixRule[]>();
  #longestForm = 0;
  readonly #rules: PrefixRule[] = [];

  constructor(rules: Iterable<PrefixRule> = []) {
    for (const rule of rules) this.add(rule);
  }

  get rules(): readonly PrefixRule[] {
    return this.#rules;
  }

  add(rule: PrefixRule): void {
    this.#rules.push(rule);
    append(this.#bySpelling, rule.first, rule);
    if (!rule.isCanonical) return;
    const form = canonicalForm(rule.first);
    this.#longestForm = Math.max(this.#longestForm, form.length);
    append(this.#byCanonicalForm, form, rule);
  }

  /** Those of the same spelling first, then canonical ones of another, each in the order of the files. */
  find(command: readonly string[]): FoundRule[] {
    const [first] = command;
    if (first === undefined) return [];
    const spelled = this.#bySpelling.get(first) ?? [];
    const others = this.#canonicalRules(first).filter((rule) => rule.first !== first);
    const candidates = [...spelled, ...others];
    return candidates.flatMap((rule) => {
      const length = matchRest(rule, command);
      return length === undefined ? [] : [{ rule, prefix: command.slice(0, length) }];
    });
  }

  #canonicalRules(first: string): readonly PrefixRule[] {
    if (this.#byCanonicalForm.size === 0) return [];
    const form = canonicalFormWithin(this.#longestForm, first);
    return form === undefined ? [] : (this.#byCanonicalForm.get(form) ?? []);
  }
}

function append(map: Map<string, PrefixRule[]>, key: string, rule: PrefixRule): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [rule]);
  else list.push(rule);
}
