// Node ends with code 0 when nothing keeps its event loop alive, also amid a command whose promise is still pending. That
// is a failure here: nobody knows how the command went.

import { CodedError } from '@codex/exec-protocol';

class StrandedError extends CodedError<'STRANDED'> {}

/** Of nested work the innermost fails, and the rest goes the way of its failure. */
const waiting: (() => void)[] = [];

const failInnermost = (): void => waiting.pop()?.();

/** As `work`, but rejects when the event loop has run empty before that is done. */
export async function unlessStranded<T>(work: () => Promise<T>): Promise<T> {
  let strand = (): void => {};
  const stranded = new Promise<never>((_, reject) => {
    strand = () =>
      reject(new StrandedError('STRANDED', 'ended without a result: nothing was left to wait for'));
  });
  if (waiting.push(strand) === 1) process.on('beforeExit', failInnermost);
  try {
    return await Promise.race([work(), stranded]);
  } finally {
    const at = waiting.indexOf(strand);
    if (at !== -1) waiting.splice(at, 1);
    if (waiting.length === 0) process.off('beforeExit', failInnermost);
  }
}
