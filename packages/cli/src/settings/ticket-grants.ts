// What a ticket may be good for: everything that an observer can be granted. `own` is not among it.

import type { Grant } from '@codex/exec-protocol';

export const TICKET_GRANTS = [
  'observe',
  'denials',
  'files',
  'stop',
  'type',
  'approve',
] as const satisfies readonly Grant[];
