// Busy-polls for a client that sends its next request as soon as it has an answer. To sleep and be woken costs more
// than the request itself: on a virtual machine the processor was halted meanwhile. So after an answer to such a client
// the event loop goes on turning for a moment; each turn serves every socket and pipe, so nothing is delayed. Each
// request starts one poll: what is sent besides, such as output, starts none, and a late request ends polling until the
// client is prompt again.

/** From an answer to the next request. */
const PROMPT_MS = 0.15;

export interface Loop {
  now(): number;
  /** Runs `turn` after one more look at everything that may have arrived. */
  nextTurn(turn: () => void): void;
}

const eventLoop: Loop = {
  now: () => performance.now(),
  nextTurn: (turn) => void setImmediate(turn),
};

export class AwakeLoop {
  readonly #loop: Loop;
  /** The client that is waited for, and until when. */
  readonly #awaited = new Map<PromptClient, number>();
  #isTurning = false;

  constructor(loop: Loop = eventLoop) {
    this.#loop = loop;
  }

  now(): number {
    return this.#loop.now();
  }

  await(client: PromptClient, until: number): void {
    this.#awaited.set(client, until);
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#loop.nextTurn(this.#turn);
  }

  forget(client: PromptClient): void {
    this.#awaited.delete(client);
  }

  readonly #turn = (): void => {
    const now = this.#loop.now();
    for (const [client, until] of this.#awaited) if (now >= until) this.#awaited.delete(client);
    this.#isTurning = this.#awaited.size > 0;
    if (this.#isTurning) this.#loop.nextTurn(this.#turn);
  };
}

const sharedLoop = new AwakeLoop();

export class PromptClient {
  readonly #loop: AwakeLoop;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #isPrompt = false;
  #hasAsked = false;

  constructor(loop: AwakeLoop = sharedLoop) {
    this.#loop = loop;
  }

  asked(): void {
    this.#isPrompt = this.#loop.now() - this.#answeredAt <= PROMPT_MS;
    this.#hasAsked = true;
    this.#loop.forget(this);
  }

  /** Something was sent. The first after a request counts as its answer. */
  sent(): void {
    if (!this.#hasAsked) return;
    this.#hasAsked = false;
    this.#answeredAt = this.#loop.now();
    if (this.#isPrompt) this.#loop.await(this, this.#answeredAt + PROMPT_MS);
  }

  gone(): void {
    this.#loop.forget(this);
  }
}
