// Which checks a run consists of, and what is wrong with the plan itself.
import type { ExpectedDifference } from '../expected/expected-difference.js';
import { REQUIREMENTS } from '../requirements/manifest.js';
import type { Requirement } from '../requirements/requirement.js';
import type { Target } from '../targets/target.js';
import { type Check, registeredChecks } from './registry.js';
import { missingNeeds } from './verdict.js';
import '../suites/all-suites.js';

export interface PlannedCheck {
  readonly requirement: Requirement;
  readonly check: Check;
  readonly expected: ExpectedDifference | undefined;
  /** Needs that the target does not meet; the check is not run when there are any. */
  readonly missing: readonly string[];
}

export function planChecks(target: Target, only = ''): PlannedCheck[] {
  const expected = new Map(target.expected.map((entry): [string, ExpectedDifference] => [entry.id, entry]));
  const planned: PlannedCheck[] = [];
  for (const [id, check] of registeredChecks()) {
    const requirement = REQUIREMENTS.get(id);
    if (!requirement) throw new Error(`a suite verifies ${id}, which no manifest has`);
    if (!id.startsWith(only)) continue;
    planned.push({
      requirement,
      check,
      expected: expected.get(id),
      missing: [
        ...missingNeeds(requirement, target.features),
        ...(target.connect !== undefined && id.startsWith('transport.') ? ['websocket'] : []),
      ],
    });
  }
  return planned;
}

/** Entries of an expected list that can never apply: an unknown id, or a check that the target does not run. */
export function uselessEntries(target: Target): string[] {
  return target.expected.flatMap(({ id }): string[] => {
    const requirement = REQUIREMENTS.get(id);
    if (!requirement) return [`${id}: no such requirement`];
    const missing = missingNeeds(requirement, target.features);
    return missing.length > 0 ? [`${id}: is not run on ${target.name} (needs ${missing.join(', ')})`] : [];
  });
}
