// A policy that judges command lines, such as that of `@codex/execpolicy`, as the rules of a tool. Its shape is repeated
// here, so that neither package needs the other.

import type { Rules, RuleVerdict } from '../approval/approval.js';
import { type PlainScript, plainCommands } from './plain-commands.js';

export interface CommandPolicy {
  check(
    command: readonly string[],
    options?: { readonly resolveHostExecutables?: boolean },
  ): {
    readonly decision: RuleVerdict['decision'] | undefined;
    readonly matchedRules: readonly {
      readonly decision: RuleVerdict['decision'];
      readonly justification?: string;
    }[];
  };
}

const SHELL = /(?:^|\/)(?:ba|z)?sh$/;

/**
 * Each command of a script is judged by itself, and a script that is more than a list of commands as a whole. The strictest
 * word counts; a script is allowed only when every command of it is, and only as the words that stand there.
 */
export function rulesFrom(policy: CommandPolicy): Rules {
  return (argv) => {
    const { commands, hasPatterns } = scriptOf(argv);
    const checks = commands.map((command) => policy.check(command, { resolveHostExecutables: true }));
    for (const decision of ['forbidden', 'prompt'] as const) {
      const found = checks
        .flatMap(({ matchedRules }) => matchedRules)
        .filter((rule) => rule.decision === decision);
      if (found.length > 0) return verdict(decision, found);
    }
    const isAllowed = !hasPatterns && checks.every(({ decision }) => decision === 'allow');
    return isAllowed ? { decision: 'allow' } : undefined;
  };
}

function scriptOf(argv: readonly string[]): PlainScript {
  const asItIs = { commands: [argv], hasPatterns: false };
  const [shell = '', flag = '', script] = argv;
  if (argv.length !== 3 || script === undefined || !SHELL.test(shell) || !/^-l?c$/.test(flag)) return asItIs;
  return plainCommands(script) ?? asItIs;
}

function verdict(
  decision: 'forbidden' | 'prompt',
  rules: readonly { readonly justification?: string }[],
): RuleVerdict {
  const justification = rules.find((rule) => rule.justification !== undefined)?.justification;
  return justification === undefined ? { decision } : { decision, justification };
}
