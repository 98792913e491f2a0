// Asks the application, remembers what it said for the session, and stops the clocks of windows meanwhile.

import { aborted, ToolFailure } from '../tool-error.js';
import { unlessAborted } from '../unless-aborted.js';
import type { ApprovalDecision, ApprovalRequest, Approve } from './approval.js';

export interface ApprovalEvents {
  asked(request: ApprovalRequest): void;
  answered(
    request: ApprovalRequest,
    answer: { readonly allowed: boolean; readonly remembered: boolean },
  ): void;
}

export interface ApprovalParts {
  readonly approve: Approve | undefined;
  readonly events: ApprovalEvents;
  /** As in Codex: what was approved to run in the sandbox may also run out of it, when the sandbox denied it. */
  readonly coversRetry: boolean;
  /** Called when the user begins to decide; the function it returns is called at the end. */
  hold(): () => void;
}

/** Longer command lines are asked about each time, and the oldest answers are forgotten. */
const LONGEST_REMEMBERED = 32 * 1024;
const MOST_REMEMBERED = 1_000;

const NO_DECISION = 'the approval failed: the answer was neither { allow: true } nor { allow: false }';
const AFTERWARDS = 'Do not try to reach the same by other means; say what you wanted to do, or do without.';

export class Approvals {
  readonly #parts: ApprovalParts;
  readonly #remembered = new Set<string>();

  constructor(parts: ApprovalParts) {
    this.#parts = parts;
  }

  /** Resolves when the command is approved; otherwise it throws what the model is told. */
  async require(request: ApprovalRequest): Promise<void> {
    const { events } = this.#parts;
    const key = this.#keyOf(request);
    if (key !== undefined && this.#remembered.has(key)) {
      events.answered(request, { allowed: true, remembered: true });
      return;
    }
    events.asked(request);
    const release = this.#parts.hold();
    let decision: ApprovalDecision;
    try {
      decision = await this.#ask(request);
    } finally {
      release();
    }
    events.answered(request, { allowed: decision.allow, remembered: false });
    if (!decision.allow) throw rejection(request, decision.message ?? 'rejected by user');
    if (decision.remember === 'session' && key !== undefined) this.#remember(key);
  }

  #remember(key: string): void {
    if (key.length > LONGEST_REMEMBERED) return;
    this.#remembered.add(key);
    const [oldest] = this.#remembered;
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
  }

  /** An answer counts for the same command in the same place with the same wishes, whatever the question was. */
  #keyOf({ reason, command, cwd, tty, escalated, runs }: ApprovalRequest): string | undefined {
    // What the same input does depends on what was typed before.
    if (reason === 'input') return undefined;
    return JSON.stringify([command, cwd, tty, escalated, this.#parts.coversRetry ? '' : runs]);
  }

  async #ask(request: ApprovalRequest): Promise<ApprovalDecision> {
    const { approve } = this.#parts;
    if (approve === undefined) return { allow: false, message: 'nobody is there who could approve it' };
    if (request.signal.aborted) throw aborted(toolOf(request));
    // The application's function may throw at once; that is no approval.
    const asked = Promise.resolve().then(() => approve(request));
    try {
      const decision: unknown = await unlessAborted(asked, request.signal, () => aborted(toolOf(request)));
      return isDecision(decision) ? decision : { allow: false, message: NO_DECISION };
    } catch (error) {
      if (error instanceof ToolFailure) throw error;
      return { allow: false, message: `the approval failed: ${String(error)}` };
    }
  }
}

/** Only a plain yes is one: an application in JavaScript may answer with anything. */
function isDecision(answer: unknown): answer is ApprovalDecision {
  return (
    typeof answer === 'object' && answer !== null && 'allow' in answer && typeof answer.allow === 'boolean'
  );
}

function toolOf({ reason }: ApprovalRequest): 'exec_command' | 'write_stdin' {
  return reason === 'input' ? 'write_stdin' : 'exec_command';
}

function rejection({ reason }: ApprovalRequest, message: string): ToolFailure {
  const what = reason === 'input' ? 'write_stdin rejected' : 'exec_command failed';
  return new ToolFailure('tool.rejected', `${what}: ${message}`, { hint: AFTERWARDS });
}
