// One requirement that a target is known not to meet.
import type { RequirementId } from '../requirements/manifest.js';

export interface ExpectedDifference {
  readonly id: RequirementId;
  /** What the target does, and why that is accepted. */
  readonly reason: string;
  /** The target fails only sometimes (a race): holding is then no stale entry. */
  readonly unreliable?: boolean;
}
