// One run of a tool. It may outlive the request that started it: in the stateless era a question ends the request, and
// another one brings the answers.

import type { Answer, JsonObject, Question, ToolResult } from './description.js';
import { ProgressSender } from './progress-sender.js';

interface OpenQuestion {
  readonly question: Question;
  resolve(answer: Answer): void;
}

export type RunOutcome =
  | { readonly kind: 'result'; readonly result: ToolResult }
  | { readonly kind: 'error'; readonly error: unknown };

export class ToolRun {
  readonly progress = new ProgressSender();
  readonly #abort = new AbortController();
  readonly #questions = new Map<string, OpenQuestion>();
  #questionCount = 0;
  #outcome: RunOutcome | undefined;
  #wake: () => void = () => undefined;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get outcome(): RunOutcome | undefined {
    return this.#outcome;
  }

  /** Resolves when the body has ended, however it did. */
  async follow(body: () => Promise<ToolResult>): Promise<RunOutcome> {
    this.#outcome = await settle(body);
    this.#withdrawAll();
    this.#wake();
    return this.#outcome;
  }

  abort(reason?: unknown): void {
    this.#abort.abort(reason);
    this.#withdrawAll();
    this.#wake();
  }

  /** The question stays open until it is answered or withdrawn. */
  hold(question: Question, signal: AbortSignal = this.signal): Promise<Answer> {
    if (signal.aborted) return Promise.resolve({ action: 'withdrawn' });
    return new Promise((resolve) => {
      const key = `question-${++this.#questionCount}`;
      this.#questions.set(key, { question, resolve });
      signal.addEventListener('abort', () => this.answer(key, { action: 'withdrawn' }), { once: true });
      this.#wake();
    });
  }

  get openQuestions(): ReadonlyMap<string, Question> {
    return new Map([...this.#questions].map(([key, { question }]) => [key, question]));
  }

  /** Unknown keys are answers that came too late. */
  answer(key: string, answer: Answer): void {
    const open = this.#questions.get(key);
    this.#questions.delete(key);
    open?.resolve(answer);
  }

  /** Resolves when the run has ended, was aborted, or has questions for the client. */
  async settledOrAsking(): Promise<void> {
    for (;;) {
      // One turn of the event loop, so that questions asked side by side travel together.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#outcome !== undefined || this.signal.aborted || this.#questions.size > 0) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #withdrawAll(): void {
    for (const key of [...this.#questions.keys()]) this.answer(key, { action: 'withdrawn' });
  }
}

async function settle(body: () => Promise<ToolResult>): Promise<RunOutcome> {
  try {
    return { kind: 'result', result: await body() };
  } catch (error) {
    return { kind: 'error', error };
  }
}

/** An elicitation result as any client may write it. */
export function answerFrom(response: unknown): Answer {
  const { action, content } = (
    typeof response === 'object' && response !== null ? response : {}
  ) as JsonObject;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action === 'accept') {
    const fields = typeof content === 'object' && content !== null ? (content as JsonObject) : {};
    return { action, content: fields };
  }
  return { action: 'failed', reason: 'the client answered with an action that is none' };
}
