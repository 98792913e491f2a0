// One exec, from what is asked to what is done. What no rule names runs inside; `forbidden` is denied; `prompt` is asked;
// what is allowed, or agreed to, leaves the sandbox if the file may be trusted and runs inside otherwise.
import { posix } from 'node:path';
import type { Policy, RuleMatch } from '@codex/execpolicy';
import type { ExecDecision, ExecRequest } from '../broker/exec-request.js';
import type { Trust } from '../trust/program-trust.js';
import { calledName, type Judgement, judgeCommand } from './judge-command.js';
import { questionText } from './question.js';
import type { CallQuestions } from './questions.js';

export interface DecideOptions {
  readonly policy: Policy;
  readonly preserveProgramPaths: boolean;
  readonly questions: CallQuestions;
  /** Whether anything may leave, whichever program it is; otherwise why nothing does. */
  readonly boundary: Trust;
  /** False where nothing confines the command, so that there is nothing to leave. */
  readonly hasSandbox: boolean;
  readonly trust: (request: ExecRequest) => Trust;
  readonly environment: (request: ExecRequest) => Readonly<Record<string, string>>;
}

export interface DecidedExec {
  readonly decision: ExecDecision;
  /** One sentence, for the audit log. */
  readonly reason: string;
  readonly matchedRules: readonly RuleMatch[];
  readonly asked: boolean;
  /** It was allowed to leave and could not, which its user should know. */
  readonly keptInside?: Trust;
}

const FORBIDDEN = 'forbidden by policy';
/** Nothing can run then, so there is nothing to ask about: the shell says what is wrong in its own words. */
const CANNOT_RUN: readonly string[] = ['missing', 'not-a-file', 'process-gone'];

export async function decideExec(
  request: ExecRequest,
  signal: AbortSignal,
  options: DecideOptions,
): Promise<DecidedExec> {
  const judgement = judgeCommand(request, options);
  const { decision, matchedRules, justification } = judgement;
  const decided = (outcome: ExecDecision, reason: string, asked = false): DecidedExec => ({
    decision: outcome,
    reason,
    matchedRules,
    asked,
  });
  const inside = (reason: string, asked = false) => decided({ action: 'run' }, reason, asked);
  if (decision === 'forbidden') {
    const reason = justification === undefined ? FORBIDDEN : `${FORBIDDEN}: ${justification}`;
    return decided({ action: 'deny', reason }, reason);
  }
  if (decision === undefined) return inside('no rule matches');
  if (request.isStartUp) return inside('a start-up file of the shell runs it');
  const { program } = request;
  if (program.state === 'unopened' && CANNOT_RUN.includes(program.reason)) return inside('it cannot run');
  let leaves = mayLeave(request, judgement, options);
  const asked = decision === 'prompt';
  if (asked) {
    const text = questionText({ request, justification, leaves, hasSandbox: options.hasSandbox });
    const permission = await options.questions.ask(text, signal);
    if (!permission.isGiven)
      return decided({ action: 'deny', reason: permission.reason }, permission.reason, true);
    // While the question was open, another call with a wider sandbox may have been able to write the program.
    if (leaves.isTrusted) leaves = mayLeave(request, judgement, options);
  }
  const why = asked ? 'the user accepted' : 'allowed by a rule';
  if (!options.hasSandbox) return inside(why, asked);
  if (!leaves.isTrusted) return { ...inside(`${why}, but ${leaves.reason}`, asked), keptInside: leaves };
  const environment = options.environment(request);
  return decided({ action: 'escalate', environment, isAsCalled: leaves.isAsCalled === true }, why, asked);
}

function mayLeave(request: ExecRequest, judgement: Judgement, { boundary, trust }: DecideOptions): Trust {
  if (!boundary.isTrusted) return boundary;
  if (request.isLossy) return { isTrusted: false, reason: 'its words are no valid text' };
  if (!isOwnName(request)) {
    return { isTrusted: false, reason: 'it is told another name than its own, and programs may obey that' };
  }
  // A person who is asked sees the name that it is called by.
  if (judgement.decision === 'allow' && !judgement.isAllowedAsCalled)
    return { isTrusted: false, reason: otherName(request) };
  return trust(request);
}

function otherName(request: ExecRequest): string {
  const { program, file } = request;
  const real = posix.basename(program.state === 'opened' ? program.files[0].realPath : file);
  const names = `it was called as ${calledName(request)}, and what is allowed is ${real}`;
  return `${names}: a program of several names does what the name says`;
}

/**
 * A program of many names does what `argv[0]` says (busybox), and no rule has judged that; others look for their own files beside the
 * path in it (python, gcc). So it is what Bash makes it: the word that the program was called by, or was found by in PATH.
 */
function isOwnName(request: ExecRequest): boolean {
  const [name] = request.argv;
  return name === request.file || name === calledName(request);
}
