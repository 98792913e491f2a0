// Carries questions from the owners of sessions to the people who watch them, and one answer back. It judges nothing:
// what the answer means is the owner's business.
import {
  type Approval,
  type ApprovalsAskParams,
  type ApprovalsAskResult,
  type ApprovalsDecideResult,
  type Clock,
  invalidParams,
  invalidRequest,
  type Timer,
} from '@codex/exec-protocol';
import type { Journal } from '../../journal/journal.js';
import { maskedText } from '../../journal/mask-secrets.js';
import { shortened } from '../../process/read/listed-command.js';
import type { SessionOwner } from '../access.js';

export interface AskingSession extends SessionOwner {
  readonly handle: string;
  readonly endSignal: AbortSignal;
}

export interface ApprovalDeskOptions {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly maxPerSession: number;
  /** Whether an observer is connected that may decide for this session. */
  readonly isAnybodyThere: (session: SessionOwner) => boolean;
  /** Tells every observer that may decide how it stands. */
  readonly changed: (approval: Approval, session: SessionOwner) => void;
}

const DEFAULT_WAIT_MS = 5 * 60 * 1000;
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;
const MAX_ID_LENGTH = 200;
const MAX_CHOICES = 16;
const MAX_TEXT_LENGTH = 4096;
const MAX_LINES = 64;
/** Of one question, all answered in one turn; beyond it the oldest goes, which may be of a connection that is gone. */
const MAX_WAITING = 64;

const USUAL_CHOICES = [
  { id: 'allow', label: 'Allow' },
  { id: 'deny', label: 'Deny' },
] as const;

interface Question {
  approval: Approval;
  readonly expiry: Timer;
  readonly waiting: {
    readonly answer: (outcome: ApprovalsAskResult) => void;
    readonly refuse: (error: Error) => void;
  }[];
}

export class ApprovalDesk {
  readonly #options: ApprovalDeskOptions;
  readonly #questions = new Map<AskingSession, Map<string, Question>>();

  constructor(options: ApprovalDeskOptions) {
    this.#options = options;
  }

  /** The same id again is the same question: a client that lost its connection asks again and misses nothing. */
  ask(session: AskingSession, params: ApprovalsAskParams): Promise<ApprovalsAskResult> | ApprovalsAskResult {
    const known = this.#questions.get(session)?.get(params.id);
    if (known !== undefined) return known.approval.outcome ?? waitFor(known);
    checkQuestion(params);
    if (!this.#options.isAnybodyThere(session)) return { decision: 'nobody', decided: false };
    const question = this.#add(session, params);
    this.#options.journal.record({
      kind: 'approvalAsked',
      session: session.handle,
      approval: params.id,
      title: maskedText(question.approval.title),
    });
    this.#options.changed(question.approval, session);
    return waitFor(question);
  }

  withdraw(session: AskingSession, id: string): void {
    this.#settle(session, id, { decision: 'withdrawn', decided: false });
  }

  decide(
    session: AskingSession,
    { id, decision, note, by }: { id: string; decision: string; note: string | null; by: string },
  ): ApprovalsDecideResult {
    const question = this.#questions.get(session)?.get(id);
    if (question === undefined) throw invalidRequest(`unknown approval ${id}`);
    const { outcome, choices } = question.approval;
    if (outcome != null) return { accepted: false, outcome };
    if (!choices.some((choice) => choice.id === decision)) {
      throw invalidRequest(
        `${JSON.stringify(decision)} is no choice of this approval; its choices are ${choices.map((choice) => choice.id).join(', ')}`,
      );
    }
    const decided: ApprovalsAskResult = {
      decision,
      decided: true,
      by,
      ...(note === null ? {} : { note: shortened(note, MAX_TEXT_LENGTH) }),
    };
    this.#settle(session, id, decided);
    return { accepted: true, outcome: decided };
  }

  /** Open ones and those that were decided lately. */
  list(maySee: (session: SessionOwner) => boolean): Approval[] {
    return [...this.#questions].flatMap(([session, questions]) =>
      maySee(session) ? [...questions.values()].map(({ approval }) => approval) : [],
    );
  }

  #add(session: AskingSession, params: ApprovalsAskParams): Question {
    const questions = this.#questionsOf(session);
    this.#makeRoom(questions);
    const waitMs = Math.min(params.expiresInMs ?? DEFAULT_WAIT_MS, LONGEST_WAIT_MS);
    const now = Date.now();
    const expiry = this.#options.clock.schedule(waitMs, () =>
      this.#settle(session, params.id, { decision: 'expired', decided: false }),
    );
    const { id, title, argv, cwd, reason, sentences, choices } = params;
    const approval: Approval = {
      session: session.handle,
      approval: id,
      title,
      ...Object.fromEntries(
        Object.entries({ argv, cwd, reason, sentences }).filter(([, part]) => part != null),
      ),
      choices: choices ?? [...USUAL_CHOICES],
      askedAtMs: now,
      expiresAtMs: now + waitMs,
    };
    const question: Question = { approval, expiry, waiting: [] };
    questions.set(id, question);
    return question;
  }

  #questionsOf(session: AskingSession): Map<string, Question> {
    let questions = this.#questions.get(session);
    if (questions === undefined) {
      questions = new Map();
      this.#questions.set(session, questions);
      const over = (): void => this.#sessionEnded(session);
      session.endSignal.addEventListener('abort', over, { once: true });
    }
    return questions;
  }

  #makeRoom(questions: Map<string, Question>): void {
    const { maxPerSession } = this.#options;
    if (questions.size < maxPerSession) return;
    const [oldest] = [...questions].filter(([, { approval }]) => approval.outcome != null);
    if (oldest === undefined) {
      throw invalidRequest(
        `too many approvals: the limit (maxApprovalsPerSession) is ${maxPerSession}; withdraw one`,
      );
    }
    questions.delete(oldest[0]);
  }

  #sessionEnded(session: AskingSession): void {
    for (const id of this.#questions.get(session)?.keys() ?? []) this.withdraw(session, id);
    this.#questions.delete(session);
  }

  #settle(session: AskingSession, id: string, outcome: ApprovalsAskResult): void {
    const question = this.#questions.get(session)?.get(id);
    if (question === undefined || question.approval.outcome != null) return;
    question.expiry.cancel();
    question.approval = { ...question.approval, outcome };
    const { decision, by } = outcome;
    this.#options.journal.record({
      kind: 'approvalEnded',
      session: session.handle,
      approval: id,
      decision,
      ...(by == null ? {} : { by }),
    });
    this.#options.changed(question.approval, session);
    for (const { answer } of question.waiting.splice(0)) answer(outcome);
  }
}

function waitFor({ waiting }: Question): Promise<ApprovalsAskResult> {
  return new Promise((answer, refuse) => {
    waiting.push({ answer, refuse });
    if (waiting.length > MAX_WAITING) waiting.shift()?.refuse(invalidRequest('it was asked again too often'));
  });
}

/** It is shown to people and kept: no more of it than can be read. */
function checkQuestion({ id, title, argv, cwd, reason, sentences, choices }: ApprovalsAskParams): void {
  if (id === '' || id.length > MAX_ID_LENGTH)
    throw invalidParams(`id must have 1 to ${MAX_ID_LENGTH} characters`);
  const lists = { argv, sentences };
  for (const [name, list] of Object.entries(lists)) {
    if ((list?.length ?? 0) > MAX_LINES)
      throw invalidParams(`${name} must not have more than ${MAX_LINES} items`);
  }
  if (choices != null && (choices.length === 0 || choices.length > MAX_CHOICES)) {
    throw invalidParams(`choices must have 1 to ${MAX_CHOICES} items`);
  }
  const labels = choices?.flatMap((choice) => [choice.id, choice.label]) ?? [];
  for (const text of [title, cwd, reason, ...(argv ?? []), ...(sentences ?? []), ...labels]) {
    if ((text?.length ?? 0) > MAX_TEXT_LENGTH) {
      throw invalidParams(`a text of an approval must not exceed ${MAX_TEXT_LENGTH} characters`);
    }
  }
}
