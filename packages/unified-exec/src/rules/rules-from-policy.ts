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
      /** The path of the program, when the rule matched its name only. */
      readonly resolvedProgram?: string;
    }[];
  };
  /** The paths that a name may stand for. */
  readonly hostExecutables?: ReadonlyMap<string, readonly string[]>;
}

/** No system starts a command with a longer argument, and to take it apart would keep everybody waiting. */
const LONGEST_SCRIPT = 1024 * 1024;
const TOO_LONG = 'the command is too long to be judged by rules';

const SHELL = /(?:^|\/)(?:ba|z)?sh$/;

/**
 * Each command of a script is judged by itself, and a script that is more than a list of commands as a whole. The strictest
 * word counts; a script is allowed only when every command of it is, and only as the words that stand there.
 *
 * What is allowed leaves the sandbox, so a path is allowed only where the policy lists that path: with a rule for `git` alone,
 * a model could call `./git`, which it wrote. It does not stop what a program of that name does with its words, its settings
 * and its folder, nor another program of that name in the server's `PATH`.
 */
export function rulesFrom(policy: CommandPolicy): Rules {
  return (argv) => {
    const script = scriptOf(argv);
    if (script === undefined) return { decision: 'forbidden', justification: TOO_LONG };
    const { commands, hasPatterns } = script;
    const checks = commands.map((command) => ({
      program: command[0],
      ...policy.check(command, { resolveHostExecutables: true }),
    }));
    for (const decision of ['forbidden', 'prompt'] as const) {
      const found = checks
        .flatMap(({ matchedRules }) => matchedRules)
        .filter((rule) => rule.decision === decision);
      if (found.length > 0) return verdict(decision, found);
    }
    const listed = new Set([...(policy.hostExecutables?.values() ?? [])].flat());
    const isAllowed =
      !hasPatterns &&
      checks.every(({ program, decision, matchedRules }) => {
        // As it is written: a relative path means another file in another folder.
        const isNamed = ({ resolvedProgram: path }: (typeof matchedRules)[number]) =>
          path === undefined || (path === program && listed.has(path));
        return decision === 'allow' && matchedRules.every(isNamed);
      });
    return isAllowed ? { decision: 'allow' } : undefined;
  };
}

/** Undefined for a script that is too long. */
function scriptOf(argv: readonly string[]): PlainScript | undefined {
  const asItIs = { commands: [argv], hasPatterns: false };
  const [shell = '', flag = '', script] = argv;
  if (argv.length !== 3 || script === undefined || !SHELL.test(shell) || !/^-l?c$/.test(flag)) return asItIs;
  return script.length > LONGEST_SCRIPT ? undefined : (plainCommands(script) ?? asItIs);
}

function verdict(
  decision: 'forbidden' | 'prompt',
  rules: readonly { readonly justification?: string }[],
): RuleVerdict {
  const justification = rules.find((rule) => rule.justification !== undefined)?.justification;
  return justification === undefined ? { decision } : { decision, justification };
}
