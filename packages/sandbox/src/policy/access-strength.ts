// The one order of strength among rules about the same path: deny, write, read.
import type { Access } from './policy-model.js';

const strength: Readonly<Record<Access, number>> = { read: 0, write: 1, deny: 2 };

/** Which of two rules about the same path holds. */
export function isStronger(access: Access, known: Access | undefined): boolean {
  return known === undefined || strength[access] > strength[known];
}
