// What the `scope` of a signed token says of this server: `exec.own`, `exec.observe` and so on, one per grant, and
// `exec.others` for sessions of other subjects. A token that has none of these words is what it was before there were any:
// its subject opens sessions and sees its own.
import type { Grant } from '@codex/exec-protocol';
import type { GrantedRights } from './authenticator.js';

const WORDS: ReadonlyMap<string, Grant> = new Map(
  (['own', 'observe', 'denials', 'files', 'stop', 'type', 'approve'] as const).map((grant) => [
    `exec.${grant}`,
    grant,
  ]),
);
const OTHERS = 'exec.others';

export function rightsOfScope(scope: string | undefined): GrantedRights {
  const words = scope?.split(' ').filter((word) => word.startsWith('exec.')) ?? [];
  if (words.length === 0) return { grants: ['own'] };
  // A word that is not known grants nothing.
  const grants = words.flatMap((word) => WORDS.get(word) ?? []);
  return { grants, seesOthers: words.includes(OTHERS) };
}
