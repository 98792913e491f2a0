// A policy: all rules together. It judges commands.

import { type Decision, strictest } from '../rules/decision.js';
import type { HostExecutables } from '../rules/host-executables.js';
import type { NetworkRule } from '../rules/network-rule.js';
import type { PrefixRule } from '../rules/prefix-rule.js';
import type { FoundRule, RuleSet } from '../rules/rule-set.js';
import { resolveProgram } from './resolve-program.js';

export interface CheckOptions {
  /** Let rules for a program's name apply to its path, where `host_executable` does not say otherwise. */
  readonly resolveHostExecutables?: boolean;
  /** Where a relative path of a program starts; that of this process unless said otherwise. */
  readonly cwd?: string;
  /** What `~` means; that of this process unless said otherwise. */
  readonly home?: string;
}

export interface RuleMatch {
  /** The words of the command that the rule matched, as they were given. */
  readonly matchedPrefix: readonly string[];
  readonly decision: Decision;
  /** The path of the program, when the rule matched its name only. */
  readonly resolvedProgram?: string;
  readonly justification?: string;
}

export interface CheckResult {
  readonly matchedRules: readonly RuleMatch[];
  /** The strictest of all matches; undefined without any. */
  readonly decision: Decision | undefined;
}

export class Policy {
  readonly #rules: RuleSet;
  readonly #hostExecutables: HostExecutables;
  /** Parsed and checked; nothing here enforces them. */
  readonly networkRules: readonly NetworkRule[];

  constructor(rules: RuleSet, hostExecutables: HostExecutables, networkRules: readonly NetworkRule[]) {
    this.#rules = rules;
    this.#hostExecutables = hostExecutables;
    this.networkRules = networkRules;
  }

  get prefixRules(): readonly PrefixRule[] {
    return this.#rules.rules;
  }

  get hostExecutables(): ReadonlyMap<string, readonly string[]> {
    return this.#hostExecutables.list();
  }

  check(command: readonly string[], options: CheckOptions = {}): CheckResult {
    const matchedRules = matchCommand(command, this.#rules, this.#hostExecutables, options);
    return { matchedRules, decision: strictest(matchedRules.map(({ decision }) => decision)) };
  }
}

/** Rules for the words as they are; only when there is none, those for the name of the program. */
export function matchCommand(
  command: readonly string[],
  rules: RuleSet,
  hostExecutables: HostExecutables,
  options: CheckOptions,
): RuleMatch[] {
  const exact = rules.find(command).map((found) => describe(found));
  const [program, ...rest] = command;
  if (exact.length > 0 || options.resolveHostExecutables !== true || program === undefined) return exact;
  const resolved = resolveProgram(program, options);
  if (resolved === undefined || !hostExecutables.mayStandFor(resolved.name, resolved.path)) return [];
  return (
    rules
      .find([resolved.name, ...rest])
      // A canonical rule may be spelled otherwise: then its own name has to stand for the path, too.
      .filter(({ rule }) => hostExecutables.mayStandFor(rule.first, resolved.path))
      .map((found) => describe(found, resolved.path))
  );
}

function describe({ rule, prefix }: FoundRule, resolvedProgram?: string): RuleMatch {
  return {
    matchedPrefix: prefix,
    decision: rule.decision,
    ...(resolvedProgram === undefined ? {} : { resolvedProgram }),
    ...(rule.justification === undefined ? {} : { justification: rule.justification }),
  };
}
