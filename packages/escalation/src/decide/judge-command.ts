// What the rules say of an exec. A program has several names (as it was given, where its links lead, and the last part of
// either), and a rule may be about any of them: all are looked up, and the strictest decision counts.
import { posix } from 'node:path';
import type { Decision, Policy, RuleMatch } from '@codex/execpolicy';
import type { ExecRequest } from '../broker/exec-request.js';

export interface Judgement {
  /** Undefined when no rule matches. */
  readonly decision: Decision | undefined;
  readonly matchedRules: readonly RuleMatch[];
  /** Of the rule that decided. */
  readonly justification: string | undefined;
}

export interface JudgeOptions {
  readonly policy: Policy;
  /** Rules see paths only, never the last part of one. */
  readonly preserveProgramPaths: boolean;
}

export function judgeCommand(
  request: ExecRequest,
  { policy, preserveProgramPaths }: JudgeOptions,
): Judgement {
  const rest = request.argv.slice(1);
  const paths = pathsOf(request);
  const matches = new MatchList();
  for (const path of paths) matches.add(policy.check([path, ...rest]).matchedRules);
  if (!preserveProgramPaths) {
    for (const name of new Set(paths.map((path) => posix.basename(path)))) {
      matches.add(policy.check([name, ...rest]).matchedRules.filter(({ decision }) => decision !== 'allow'));
    }
    // `host_executable` says which paths a name may stand for. It narrows what is allowed; what is asked about or
    // forbidden by its name stays so wherever it lies.
    for (const path of paths) {
      const { matchedRules } = policy.check([path, ...rest], { resolveHostExecutables: true });
      matches.add(matchedRules.filter(({ decision }) => decision === 'allow'));
    }
  }
  return matches.judgement();
}

/** As given, made absolute by spelling alone, and without links. */
function pathsOf({ file, workdir, program }: ExecRequest): string[] {
  const given = posix.resolve(workdir.path, file);
  const real = program.state === 'opened' ? program.files[0].realPath : given;
  return [...new Set([file, given, real])];
}

const STRICTNESS: readonly Decision[] = ['allow', 'prompt', 'forbidden'];

class MatchList {
  readonly #matches = new Map<string, RuleMatch>();

  add(matches: readonly RuleMatch[]): void {
    for (const match of matches) this.#matches.set(JSON.stringify(match), match);
  }

  judgement(): Judgement {
    const matchedRules = [...this.#matches.values()];
    const decision = STRICTNESS.findLast((one) => matchedRules.some((match) => match.decision === one));
    const deciding = matchedRules.filter((match) => match.decision === decision);
    const justification = deciding.find((match) => match.justification !== undefined)?.justification;
    return { decision, matchedRules, justification };
  }
}
