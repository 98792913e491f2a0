// One vitest test per requirement, against one target.
import { afterAll, describe, expect, it } from 'vitest';
import type { Target } from '../targets/target.js';
import { planChecks, uselessEntries } from './plan.js';
import { runPlanned } from './run-target.js';
import { ServerKeeper } from './server-keeper.js';
import { isBad } from './verdict.js';

/** `only`: the requirements whose id begins with it. */
export function describeTarget(target: Target, only = ''): void {
  const keeper = new ServerKeeper(target);
  const planned = planChecks(target, only);

  describe(target.name, () => {
    afterAll(() => keeper.stop());

    for (const check of planned) {
      it.skipIf(check.missing.length > 0)(check.requirement.id, async () => {
        const verdict = await runPlanned(check, target, keeper);
        if (verdict.kind === 'failed') throw verdict.error;
        if (isBad(verdict)) throw new Error(`${check.requirement.id} holds: take it off the expected list`);
      });
    }

    it('has no entry in its list of expected differences that cannot apply', () => {
      expect(uselessEntries(target)).toEqual([]);
    });
  });
}
