// Which programs the broker has to ask about: those that some rule could match by its first word, or by the last part of it where
// that is a path, since a path can be spelled in many ways. All others run at once.
import { posix } from 'node:path';
import type { Policy } from '@codex/execpolicy';
import type { AskedPrograms } from '../broker/escalation-broker.js';

export function askedProgramsOf(policy: Policy): AskedPrograms {
  const names = new Set<string>();
  const foldedNames = new Set<string>();
  for (const { first, isCanonical } of policy.prefixRules) {
    const own = isCanonical ? foldedNames : names;
    own.add(first).add(posix.basename(first));
  }
  // A name beyond ASCII may be written in several ways that a comparison of bytes does not see.
  if ([...foldedNames].some((name) => !isAscii(name))) return 'all';
  return { names, ...(foldedNames.size === 0 ? {} : { foldedNames }) };
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text);
}
