// Parses rule files into a policy. All files feed one set of rules; an error in any of them fails the whole.

import { exampleProblem } from '../check/check-examples.js';
import { Policy } from '../check/policy.js';
import { BUILTINS } from '../evaluate/builtins/builtins.js';
import { runFile } from '../evaluate/interpreter.js';
import type { Value } from '../evaluate/value.js';
import { ExecPolicyError } from '../exec-policy-error.js';
import { LIMITS } from '../limits.js';
import { HostExecutables } from '../rules/host-executables.js';
import type { NetworkRule } from '../rules/network-rule.js';
import type { PrefixRule } from '../rules/prefix-rule.js';
import { type Examples, type RuleReceiver, ruleBuiltins } from '../rules/rule-builtins.js';
import { RuleSet } from '../rules/rule-set.js';
import { SourceText } from '../source/source-text.js';

export interface RulesSource {
  /** What errors call it. */
  readonly file: string;
  readonly text: string;
}

/** Throws an `ExecPolicyError` for the first thing that is wrong. */
export function parsePolicy(sources: RulesSource | readonly RulesSource[]): Policy {
  const builder = new PolicyBuilder();
  for (const source of [sources].flat()) builder.add(source);
  return builder.build();
}

interface ExampleCheck {
  readonly rules: readonly PrefixRule[];
  readonly examples: Examples;
  readonly position: number;
}

export class PolicyBuilder {
  readonly #rules = new RuleSet();
  readonly #hostExecutables = new HostExecutables();
  readonly #networkRules: NetworkRule[] = [];

  add({ file, text }: RulesSource): void {
    if (Buffer.byteLength(text) > LIMITS.fileBytes) {
      throw new ExecPolicyError('RULES_LIMIT', `the file is larger than ${LIMITS.fileBytes} bytes`, file);
    }
    const source = new SourceText(file, text);
    const checks: ExampleCheck[] = [];
    runFile(source, this.#builtins(checks));
    // Not before the whole file is known: a host_executable below a rule counts for its examples.
    for (const { rules, examples, position } of checks) {
      const problem = exampleProblem(rules, examples, this.#hostExecutables);
      if (problem !== undefined) throw source.error('RULES_EXAMPLE', problem, position);
    }
  }

  build(): Policy {
    return new Policy(this.#rules, this.#hostExecutables, this.#networkRules);
  }

  #builtins(checks: ExampleCheck[]): ReadonlyMap<string, Value> {
    const receiver: RuleReceiver = {
      addRules: (rules, examples, position) => {
        for (const rule of rules) this.#rules.add(rule);
        if (examples.match.length + examples.notMatch.length > 0) checks.push({ rules, examples, position });
      },
      addHostExecutable: (name, paths) => this.#hostExecutables.define(name, paths),
      addNetworkRule: (rule) => this.#networkRules.push(rule),
    };
    return new Map([
      ...BUILTINS,
      ...ruleBuiltins(receiver).map((builtin) => [builtin.name, builtin] as const),
    ]);
  }
}
