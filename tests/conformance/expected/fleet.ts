// Requirements that our server does not meet as a machine of a fleet, and does alone.
import type { ExpectedDifference } from './expected-difference.js';

export const EXPECTED_OF_FLEET: readonly ExpectedDifference[] = [
  {
    id: 'session.initialize.session-id',
    reason: 'a session id names its machine before the random part; clients treat it as an opaque text',
  },
];

/** Through a gateway; its own websockets meet everything that ours do. */
export const EXPECTED_OF_GATEWAY: readonly ExpectedDifference[] = [...EXPECTED_OF_FLEET];
