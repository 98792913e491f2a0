// Runs one check on one server and says what came of it.
import type { Target } from '../targets/target.js';
import { CheckContext } from './check-context.js';
import type { Check } from './registry.js';

/** Far above what any check needs; it only keeps a run from hanging for ever. */
const CHECK_TIMEOUT_MS = 60_000;

export interface CheckRun {
  readonly target: Target;
  readonly url: string;
  readonly check: Check;
}

/** Resolves with undefined when the check held, otherwise with what failed. */
export async function runCheck({ target, url, check }: CheckRun): Promise<Error | undefined> {
  const context = new CheckContext(target, url);
  try {
    await withDeadline(check(context));
    const faults = context.faults();
    if (faults.length > 0) throw new Error(`malformed messages from the server:\n${faults.join('\n')}`);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await context.dispose();
  }
}

function withDeadline(work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the check did not end within ${CHECK_TIMEOUT_MS} ms`)),
      CHECK_TIMEOUT_MS,
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
