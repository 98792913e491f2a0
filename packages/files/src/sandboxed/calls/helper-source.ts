// Gives the calls under one policy a helper, and decides whether a call that is lost with its helper is repeated.
import { otherError } from '../../fs-error.js';
import { HelperLostError } from '../pool/helper-lost-error.js';
import type { HelperProcess } from '../pool/helper-process.js';
import type { HelperAnswer, HelperCall } from '../pool/pending-calls.js';

/** For what is more than one call. */
export interface HelperHold {
  /** The helper is not ended for being idle before `act` is done. */
  use<T>(act: (helper: HelperProcess) => Promise<T>): Promise<T>;
  /** A file or a watch stays open in that helper. */
  hold(helper: HelperProcess): () => void;
}

export interface HelperSource extends HelperHold {
  /** One call on the helper. */
  call(call: HelperCall): Promise<HelperAnswer>;
}

export const MAX_ATTEMPTS = 3;

/** Does it again on a new helper when it was lost with one, up to `attempts` times. */
export async function attempt<T>(attempts: number, act: () => Promise<T>): Promise<T> {
  let starts = 1;
  for (let left = attempts; ; left -= 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof HelperLostError)) throw error;
      // A helper that did not come up has done nothing, and the reason may be a directory that changed meanwhile.
      const isStart = error.code === 'FILE_HELPER_START';
      if (isStart ? starts === 1 : left > 1) {
        starts += isStart ? 1 : 0;
        continue;
      }
      throw lostError(error, attempts === 1);
    }
  }
}

function lostError(error: HelperLostError, isUncertain: boolean): Error {
  const isEnded = error.code === 'FILE_HELPER_ENDED';
  return otherError(
    isEnded && isUncertain ? `${error.message}; whether the change was made is not known` : error.message,
  );
}
