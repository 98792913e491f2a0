// Rule files and commands with the answers of the real codex 0.169.0 (`npm run test:codex` asks it again).
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkJson, ExecPolicyError, parsePolicy } from './index.js';

interface Recorded {
  readonly files: readonly string[];
  readonly command: readonly string[];
  readonly resolve: boolean;
  readonly code: number;
  readonly stdout?: string;
  /** Codex has an answer; we refuse, with this code. */
  readonly refused?: string;
}

const RECORD = new URL('../test-support/recorded-answers.json', import.meta.url);
const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Recorded[];

function answer({ files, command, resolve }: Recorded): string | ExecPolicyError {
  try {
    const policy = parsePolicy(files.map((text, index) => ({ file: `${index}.rules`, text })));
    return checkJson(
      policy.check(command, { resolveHostExecutables: resolve, cwd: '/', home: '/home/user' }),
    );
  } catch (error) {
    if (error instanceof ExecPolicyError) return error;
    throw error;
  }
}

/** Canonical rules of different spelling come in a random order there; here in the order of the files. */
function matches(stdout: string, isCanonical: boolean): unknown {
  const { matchedRules, decision } = JSON.parse(stdout) as { matchedRules: unknown[]; decision?: string };
  const texts = matchedRules.map((match) => JSON.stringify(match));
  return isCanonical ? { texts: texts.sort(), decision } : stdout.trim();
}

describe('the answers of codex', () => {
  it('are many', () => {
    expect(recorded.length).toBeGreaterThan(1500);
    expect(recorded.filter(({ stdout }) => stdout !== undefined).length).toBeGreaterThan(900);
  });

  it('are ours, or we refuse what we say that we refuse', () => {
    for (const entry of recorded) {
      const ours = answer(entry);
      if (entry.refused !== undefined) {
        expect(ours, JSON.stringify(entry)).toBeInstanceOf(ExecPolicyError);
        expect((ours as ExecPolicyError).code, JSON.stringify(entry)).toBe(entry.refused);
      } else if (entry.stdout === undefined)
        expect(ours, JSON.stringify(entry)).toBeInstanceOf(ExecPolicyError);
      else {
        const isCanonical = entry.files.some((text) => text.includes('canonical_matching'));
        expect(ours, JSON.stringify(entry)).toBeTypeOf('string');
        expect(matches(ours as string, isCanonical), JSON.stringify(entry)).toEqual(
          matches(entry.stdout, isCanonical),
        );
      }
    }
  });

  it('are refused for two reasons only', () => {
    const reasons = new Set(recorded.flatMap(({ refused }) => refused ?? []));
    expect([...reasons].sort()).toEqual(['RULES_LIMIT', 'RULES_UNSUPPORTED']);
  });
});
