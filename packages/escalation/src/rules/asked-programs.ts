// Which programs the broker has to ask about: those that some rule could match by its first word. All others run at once.
import type { Policy } from '@codex/execpolicy';
import type { AskedPrograms } from '../broker/escalation-broker.js';

export function askedProgramsOf(policy: Policy): AskedPrograms {
  const names = new Set<string>();
  const foldedNames = new Set<string>();
  for (const { first, isCanonical } of policy.prefixRules) (isCanonical ? foldedNames : names).add(first);
  // A name beyond ASCII may be written in several ways that a comparison of bytes does not see.
  if ([...foldedNames].some((name) => !isAscii(name))) return 'all';
  return { names, ...(foldedNames.size === 0 ? {} : { foldedNames }) };
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  return /^[\u0000-\u007f]*$/.test(text);
}
