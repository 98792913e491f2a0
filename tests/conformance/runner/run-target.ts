// A whole run against one target, one check after the other.
import type { Target } from '../targets/target.js';
import { type PlannedCheck, planChecks } from './plan.js';
import { runCheck } from './run-check.js';
import { ServerKeeper } from './server-keeper.js';
import { judge, type Verdict } from './verdict.js';

export interface CheckOutcome {
  readonly planned: PlannedCheck;
  readonly verdict: Verdict;
  readonly milliseconds: number;
}

export interface RunOptions {
  readonly only?: string;
  readonly onOutcome?: (outcome: CheckOutcome) => void;
}

export async function runTarget(target: Target, options: RunOptions = {}): Promise<CheckOutcome[]> {
  const keeper = new ServerKeeper(target);
  const outcomes: CheckOutcome[] = [];
  try {
    for (const planned of planChecks(target, options.only)) {
      const startedAt = performance.now();
      const verdict = await runPlanned(planned, target, keeper);
      const outcome = { planned, verdict, milliseconds: performance.now() - startedAt };
      outcomes.push(outcome);
      options.onOutcome?.(outcome);
    }
  } finally {
    await keeper.stop();
  }
  return outcomes;
}

/** One check on the kept server; a server that does not survive it is a failure of the check. */
export async function runPlanned(
  planned: PlannedCheck,
  target: Target,
  keeper: ServerKeeper,
): Promise<Verdict> {
  if (planned.missing.length > 0) return { kind: 'not-applicable', missing: planned.missing };
  const failure = await runCheck({ target, url: await keeper.url(), check: planned.check });
  const down = keeper.isDown()
    ? new Error(`the server ended during the check; ${failure?.message ?? ''}`)
    : undefined;
  return judge(down ?? failure, down ? undefined : planned.expected);
}
