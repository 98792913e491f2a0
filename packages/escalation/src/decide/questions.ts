// The questions of one call: how many, who answers, and what an answer means for those after it. No answer is remembered
// beyond its exec.

export type Answer =
  /** The person's own word. */
  | { readonly type: 'accept' | 'decline' | 'cancel' }
  /** There was no answer: a client that failed, or answered something else. */
  | { readonly type: 'failed'; readonly reason: string };

/** Asks a person. `signal` aborts when the answer is no longer wanted: the question is then to be withdrawn. */
export type Ask = (text: string, signal: AbortSignal) => Promise<Answer>;

export type Permission = { readonly isGiven: true } | { readonly isGiven: false; readonly reason: string };

export const MOST_QUESTIONS = 20;

export interface CallQuestionsOptions {
  /** Undefined when no person can be asked; `nobody` says why. */
  readonly ask: Ask | undefined;
  readonly nobody?: string;
  /** While a question is open the clock of the call stands. Returns what lets it go on. */
  readonly pauseClock?: () => () => void;
}

const NOBODY = 'the client cannot be asked for approval';

export class CallQuestions {
  readonly #options: CallQuestionsOptions;
  #asked = 0;
  #isCancelled = false;
  #isOver = false;

  constructor(options: CallQuestionsOptions) {
    this.#options = options;
  }

  /** The call has been answered: what still runs of it in the background cannot ask any more. */
  close(): void {
    this.#isOver = true;
  }

  async ask(text: string, signal: AbortSignal): Promise<Permission> {
    const { ask, nobody = NOBODY, pauseClock } = this.#options;
    if (this.#isOver) return refuse('the call it belongs to has ended, so nobody can be asked');
    if (ask === undefined) return refuse(nobody);
    if (this.#isCancelled) return refuse('User cancelled execution');
    if (this.#asked >= MOST_QUESTIONS) return refuse(`more than ${MOST_QUESTIONS} questions in one call`);
    this.#asked += 1;
    const resumeClock = pauseClock?.();
    try {
      const answer = await answered(ask(text, signal), signal);
      // Whatever was answered: the one who wanted to know is gone.
      if (signal.aborted) return refuse('the question was withdrawn');
      return this.#permission(answer);
    } catch (error) {
      return refuse(
        `the question could not be answered: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      resumeClock?.();
    }
  }

  #permission(answer: Answer): Permission {
    if (answer.type === 'cancel') this.#isCancelled = true;
    // A question that was open beside the one that was cancelled counts as cancelled, too.
    if (this.#isCancelled) return refuse('User cancelled execution');
    if (answer.type === 'failed') return refuse(`the question could not be answered: ${answer.reason}`);
    return answer.type === 'accept' ? { isGiven: true } : refuse('User declined execution');
  }
}

/** The function that asks may not notice that its answer is no longer wanted. */
function answered(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => resolve({ type: 'failed', reason: 'nobody waits for it any more' });
    signal.addEventListener('abort', giveUp);
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
    if (signal.aborted) giveUp();
  });
}

function refuse(reason: string): Permission {
  return { isGiven: false, reason };
}
