// What a person is asked before a command runs outside its sandbox. Everything in it comes from a model or a command.

import { visibleText } from '@codex/exec-protocol';
import type { ApprovalDecision, ApprovalRequest } from '@codex/unified-exec';
import type { Answer, Question } from '../server/description.js';

const LONGEST = 4_000;

export function approvalQuestion(request: ApprovalRequest): Question {
  const { command, cwd, justification, evidence, reason, escalated } = request;
  const where = reason === 'retryWithoutSandbox' || escalated ? 'outside the sandbox' : 'inside the sandbox';
  const lines = [
    reason === 'retryWithoutSandbox'
      ? `The sandbox denied this command. Run it again ${where}?`
      : `Run this command ${where}?`,
    '',
    `  ${visible(command.at(-1) ?? '')}`,
    '',
    `with ${visible(command.slice(0, -1).join(' '))} in ${visible(cwd)}`,
  ];
  if (justification !== undefined) lines.push(`The model says: ${visible(justification)}`);
  if (evidence !== undefined) lines.push(`The command printed: ${visible(evidence)}`);
  return { message: lines.join('\n') };
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

/** Line ends are spelled out too, so that no text can look like another part of the question. */
function visible(text: string): string {
  const shown = visibleText(text);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}… (${shown.length} characters in all)` : shown;
}
