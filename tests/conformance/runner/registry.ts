// The checks of all suites, by the id of the requirement that they verify.
import type { RequirementId } from '../requirements/manifest.js';
import type { CheckContext } from './check-context.js';

export type Check = (t: CheckContext) => Promise<void>;

const checks = new Map<string, Check>();

/** Registers the one check that shows a requirement to hold. */
export function verifies(id: RequirementId, check: Check): void {
  if (checks.has(id)) throw new Error(`requirement ${id} is verified twice`);
  checks.set(id, check);
}

export function registeredChecks(): ReadonlyMap<string, Check> {
  return checks;
}
