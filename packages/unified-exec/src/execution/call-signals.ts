// A signal for each call that is under way: its own, the caller's, and the end of the tool in one.

export interface CallSignal {
  readonly signal: AbortSignal;
  /** The call is over: nothing is listened to on its behalf any more. */
  release(): void;
}

export class CallSignals {
  readonly #open = new Set<AbortController>();
  #hasEnded = false;

  open(outer?: AbortSignal): CallSignal {
    const own = new AbortController();
    const abort = (): void => own.abort(outer?.reason);
    if (this.#hasEnded || outer?.aborted === true) abort();
    outer?.addEventListener('abort', abort, { once: true });
    this.#open.add(own);
    return {
      signal: own.signal,
      release: () => {
        this.#open.delete(own);
        outer?.removeEventListener('abort', abort);
      },
    };
  }

  /** All that are open, and every one that is opened later: a retry that is asked for behind the end, say. */
  abortAll(): void {
    this.#hasEnded = true;
    for (const call of this.#open) call.abort();
  }
}
