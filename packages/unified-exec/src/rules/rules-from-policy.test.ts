import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesFrom } from './rules-from-policy.js';

const DECISIONS = {
  git: { decision: 'allow' },
  curl: { decision: 'prompt', justification: 'it leaves this machine' },
  rm: { decision: 'forbidden', justification: 'use trash' },
} as const;

const policy = {
  check: ([program = '']: readonly string[]) => {
    const name = program.slice(program.lastIndexOf('/') + 1);
    const rule = Object.hasOwn(DECISIONS, name) ? DECISIONS[name as keyof typeof DECISIONS] : undefined;
    const resolved = name === program ? {} : { resolvedProgram: posix.resolve('/usr/bin', program) };
    return { decision: rule?.decision, matchedRules: rule === undefined ? [] : [{ ...rule, ...resolved }] };
  },
  hostExecutables: new Map([['git', ['/usr/bin/git']]]),
};

describe('rulesFrom', () => {
  const rules = rulesFrom(policy);
  it.each([
    ['git status', { decision: 'allow' }],
    ['git status && git diff', { decision: 'allow' }],
    ['git status && ls', undefined],
    ['ls', undefined],
    // Words that are not there yet are not allowed, but may be stopped.
    ['git add *', undefined],
    ['rm *', { decision: 'forbidden', justification: 'use trash' }],
    ['ls; curl x', { decision: 'prompt', justification: 'it leaves this machine' }],
    ['git status | curl x && rm y', { decision: 'forbidden', justification: 'use trash' }],
    // A script that is more than commands is judged as the shell that it is for.
    ['git status > x', undefined],
    // A path is allowed where it is listed, and only as it is listed.
    ['/usr/bin/git status', { decision: 'allow' }],
    ['/project/git status', undefined],
    ['./git status', undefined],
    ['/project/../usr/bin/git status', undefined],
    ['./rm x', { decision: 'forbidden', justification: 'use trash' }],
    ['rm $X', undefined],
  ])('%s', async (script, verdict) => {
    expect(await rules(['/bin/bash', '-lc', script])).toEqual(verdict);
    expect(await rules(['sh', '-c', script])).toEqual(verdict);
  });

  it('allows nothing that is too long to be taken apart', async () => {
    expect(await rules(['/bin/bash', '-lc', 'git status;'.repeat(1_000_000)])).toEqual({
      decision: 'forbidden',
      justification: 'the command is too long to be judged by rules',
    });
    expect(await rules(['apply_patch', 'x'.repeat(2_000_000)])).toBeUndefined();
  });

  it('judges what is no shell by its words', async () => {
    expect(await rules(['/usr/bin/git', 'status'])).toEqual({ decision: 'allow' });
    expect(await rules(['rm', '-c', 'ls'])).toEqual({ decision: 'forbidden', justification: 'use trash' });
  });
});
