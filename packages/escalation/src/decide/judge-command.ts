// What the rules say of an exec. A program has several names (as it was given, where its links lead, each link that stood for it on
// the way, and the last parts of these), and a rule may be about any of them: all are looked up, and the strictest decision counts.
// What a rule allows is allowed by the first two alone, and only as what the program is called by: one file may be several programs.
import { posix } from 'node:path';
import type { Decision, Policy, RuleMatch } from '@codex/execpolicy';
import type { ExecRequest } from '../broker/exec-request.js';
import { isSpelledOut } from '../trust/spelled-path.js';

export interface Judgement {
  /** Undefined when no rule matches. */
  readonly decision: Decision | undefined;
  readonly matchedRules: readonly RuleMatch[];
  /** Of the rule that decided. */
  readonly justification: string | undefined;
  /** Some rule allows the program by the name that it is called by, and not only by that of the file behind it. */
  readonly isAllowedAsCalled: boolean;
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
  const { paths, others } = namesOf(request);
  const matches = new MatchList(calledName(request));
  for (const path of [...asGiven(request), ...paths]) {
    matches.add(path, policy.check([path, ...rest]).matchedRules);
  }
  for (const path of others) matches.addLimits(policy.check([path, ...rest]).matchedRules);
  if (!preserveProgramPaths) {
    for (const name of new Set([...paths, ...others].map((path) => posix.basename(path)))) {
      matches.addLimits(policy.check([name, ...rest]).matchedRules);
    }
    // `host_executable` says which paths a name may stand for. It narrows what is allowed; what is asked about or
    // forbidden by its name stays so wherever it lies.
    for (const path of paths) {
      const { matchedRules } = policy.check([path, ...rest], { resolveHostExecutables: true });
      matches.add(
        path,
        matchedRules.filter(({ decision }) => decision === 'allow'),
      );
    }
  }
  return matches.judgement();
}

/** What programs of several names obey: busybox is `ls` when it is called so. */
export function calledName({ file }: ExecRequest): string {
  return posix.basename(file);
}

/** `paths` are where the program lies; `others` can forbid it, or have it asked about, and allow nothing. */
function namesOf(request: ExecRequest): { paths: Set<string>; others: Set<string> } {
  const { file, workdir, program } = request;
  const given = posix.resolve(workdir.path, file);
  const real = program.state === 'opened' ? program.files[0].realPath : given;
  const paths = new Set([...(isSpelledOut(file) ? [given] : []), real]);
  return { paths, others: new Set([given, ...linksOf(request)]) };
}

/** A rule may have a path as it is given, `./build.sh`. Without a slash it would look like a name: it is a file of the working directory. */
function asGiven({ file }: ExecRequest): readonly string[] {
  return file.includes('/') ? [file] : [];
}

/** Links that stood for the file itself. */
function linksOf({ program }: ExecRequest): string[] {
  if (program.state !== 'opened') return [];
  return program.files[0].steps
    .filter(({ kind, isName }) => kind === 'link' && isName)
    .map(({ path }) => path);
}

const STRICTNESS: readonly Decision[] = ['allow', 'prompt', 'forbidden'];

class MatchList {
  readonly #calledName: string;
  readonly #matches = new Map<string, RuleMatch>();
  #isAllowedAsCalled = false;

  constructor(name: string) {
    this.#calledName = name;
  }

  /** What rules say of this path. */
  add(path: string, matches: readonly RuleMatch[]): void {
    for (const match of matches) this.#matches.set(JSON.stringify(match), match);
    if (posix.basename(path) !== this.#calledName) return;
    this.#isAllowedAsCalled ||= matches.some(({ decision }) => decision === 'allow');
  }

  /** Without what they allow. */
  addLimits(matches: readonly RuleMatch[]): void {
    const limits = matches.filter(({ decision }) => decision !== 'allow');
    for (const match of limits) this.#matches.set(JSON.stringify(match), match);
  }

  judgement(): Judgement {
    const matchedRules = [...this.#matches.values()];
    const decision = STRICTNESS.findLast((one) => matchedRules.some((match) => match.decision === one));
    const deciding = matchedRules.filter((match) => match.decision === decision);
    const justification = deciding.find((match) => match.justification !== undefined)?.justification;
    return { decision, matchedRules, justification, isAllowedAsCalled: this.#isAllowedAsCalled };
  }
}
