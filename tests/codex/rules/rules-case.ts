// A set of rule files and a command, and what `execpolicy check` of the real codex says to it.

export interface RulesQuestion {
  readonly files: readonly string[];
  readonly command: readonly string[];
  readonly resolve: boolean;
}

export interface RulesAnswer {
  readonly code: number;
  readonly stdout: string;
}

/** Both run in this folder and home, so that no answer depends on the machine. */
export const CWD = '/';
export const HOME = '/home/user';

/**
 * Rules with canonical_matching that are spelled differently come in an order that the real codex draws by lot: they are
 * compared as a set. The decision does not depend on it.
 */
export function comparable(stdout: string, { files }: RulesQuestion): unknown {
  if (!files.some((text) => text.includes('canonical_matching')) || stdout === '') return stdout;
  const { matchedRules, decision } = JSON.parse(stdout) as { matchedRules: unknown[]; decision?: string };
  return { matchedRules: matchedRules.map((match) => JSON.stringify(match)).sort(), decision };
}
