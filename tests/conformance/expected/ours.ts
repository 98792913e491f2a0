// Requirements that our own server does not meet. Empty is the goal.
import type { ExpectedDifference } from './expected-difference.js';

export const EXPECTED_OF_OURS: readonly ExpectedDifference[] = [];
