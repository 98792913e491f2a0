// Requirements that our own server does not meet. Empty is the goal.
import type { ExpectedDifference } from './expected-difference.js';

export const EXPECTED_OF_OURS: readonly ExpectedDifference[] = [
  {
    id: 'process.read.largest-numbers',
    reason: 'numbers beyond 2^53 - 1 are refused: they cannot be told apart here',
  },
];
