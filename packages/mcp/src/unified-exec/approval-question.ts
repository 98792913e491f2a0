// What a person is asked before a command runs. Everything in it comes from a model or a command, so nothing of that may
// look like another part of the question, and nothing that will run may be out of sight.
//
// It does not stop a person who says yes unread, a script whose text is in a file, names that lead elsewhere through links, or
// letters that look like others: those are named, and that is all.

import type { ApprovalDecision, ApprovalRequest } from '@codex/unified-exec';
import type { Answer, Question } from '../server/description.js';
import { onOneLine, onPlainLines, otherCharacters } from './shown-text.js';

/** What does not fit in front of a person is not approved by one. */
const LONGEST_COMMAND = 8_000;
const MOST_LINES = 200;
const LONGEST_REMARK = 1_000;

export function approvalQuestion(request: ApprovalRequest): Question {
  const { command, cwd, justification, evidence, runs } = request;
  const where = {
    inside: 'inside the sandbox',
    outside: 'outside the sandbox',
    unconfined: 'without a sandbox',
  }[runs];
  const script = command.at(-1) ?? '';
  const shown = shownText(request);
  const others = otherCharacters(`${shown}${cwd}`);
  const lines = [
    question(request, where),
    '',
    // Indented by four, so that a client that renders Markdown shows it as it is.
    ...onPlainLines(shown).map((line) => `    | ${line}`),
    '',
    ...(request.input === undefined
      ? [`with ${onOneLine(command.slice(0, -1).join(' '))} in ${onOneLine(cwd)}`]
      : [
          `into session ${request.input.sessionId}, which runs ${remark(script)}, started in ${onOneLine(cwd)}`,
        ]),
    ...(others === '' ? [] : [`It has characters that may look like others: ${others}`]),
  ];
  if (justification !== undefined) lines.push(`The model says: ${remark(justification)}`);
  if (evidence !== undefined)
    lines.push(
      `${command[0] === 'apply_patch' ? 'The server said' : 'The command printed'}: ${remark(evidence)}`,
    );
  return { message: lines.join('\n') };
}

/** What a yes sets going. */
function shownText({ command, input }: ApprovalRequest): string {
  return input?.chars ?? command.at(-1) ?? '';
}

function question({ command, reason }: ApprovalRequest, where: string): string {
  const isPatch = command[0] === 'apply_patch';
  if (reason === 'input') return 'Type this into a command that runs outside the sandbox?';
  if (reason !== 'retryWithoutSandbox')
    return `${isPatch ? 'Apply this patch' : 'Run this command'} ${where}?`;
  return isPatch
    ? `The sandbox denied this patch. Apply it ${where}?`
    : `The sandbox denied this command. Run it again ${where}?`;
}

/** A sentence for the model; undefined where the command can be asked about. */
export function whyNotAsked(request: ApprovalRequest): string | undefined {
  const shown = shownText(request);
  const length = onPlainLines(shown).join('\n').length + onOneLine(request.cwd).length;
  const lines = shown.split('\n').length;
  if (length <= LONGEST_COMMAND && lines <= MOST_LINES) return undefined;
  return `it needs an approval, and with ${length} characters on ${lines} lines it is too long for a person to read`;
}

export function decisionFrom(answer: Answer): ApprovalDecision {
  switch (answer.action) {
    case 'accept':
      return { allow: true };
    case 'decline':
      return { allow: false, message: 'the user declined it' };
    case 'cancel':
      return { allow: false, message: 'the user cancelled the question' };
    case 'withdrawn':
      return { allow: false, message: 'the call was cancelled before somebody answered' };
    case 'unavailable':
      return { allow: false, message: 'it needs an approval, and this client cannot ask its user' };
    case 'failed':
      return { allow: false, message: `it needs an approval, and the question failed: ${answer.reason}` };
  }
}

function remark(text: string): string {
  const shown = onOneLine(text.slice(0, LONGEST_REMARK));
  return text.length > LONGEST_REMARK ? `${shown}… (${text.length} characters in all)` : shown;
}
