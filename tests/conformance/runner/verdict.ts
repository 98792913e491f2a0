// Turns "held or not" into a verdict, in the light of what is expected of the target.
import type { ExpectedDifference } from '../expected/expected-difference.js';
import type { Requirement } from '../requirements/requirement.js';

export type Verdict =
  | { readonly kind: 'held' }
  | { readonly kind: 'failed'; readonly error: Error }
  /** Failed, and the list of expected differences says so. */
  | { readonly kind: 'differs'; readonly reason: string }
  /** Held although the list says that it does not: the list is out of date. */
  | { readonly kind: 'stale'; readonly reason: string }
  | { readonly kind: 'not-applicable'; readonly missing: readonly string[] };

export function judge(failure: Error | undefined, expected: ExpectedDifference | undefined): Verdict {
  if (!expected) return failure ? { kind: 'failed', error: failure } : { kind: 'held' };
  if (failure) return { kind: 'differs', reason: expected.reason };
  return expected.unreliable ? { kind: 'held' } : { kind: 'stale', reason: expected.reason };
}

/** The needs of a requirement that a target does not meet. */
export function missingNeeds(requirement: Requirement, features: ReadonlySet<string>): string[] {
  return (requirement.needs ?? []).filter((need) => !features.has(need));
}

export function isBad(verdict: Verdict): boolean {
  return verdict.kind === 'failed' || verdict.kind === 'stale';
}
