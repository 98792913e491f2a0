import { parsePolicy } from '@codex/execpolicy';
import { describe, expect, it } from 'vitest';
import { askedProgramsOf } from './asked-programs.js';

const asked = (text: string) => askedProgramsOf(parsePolicy({ file: 'x.rules', text }));

describe('askedProgramsOf', () => {
  it('is the first words of all rules, and the last parts of paths', () => {
    expect(asked('prefix_rule([["git", "jj"], "push"])\nprefix_rule(["/usr/bin/id"])')).toEqual({
      names: new Set(['git', 'jj', '/usr/bin/id', 'id']),
    });
    expect(asked('')).toEqual({ names: new Set() });
  });

  it('keeps those apart that are compared without case', () => {
    expect(asked('prefix_rule(["Git"], canonical_matching=True)\nprefix_rule(["ls"])')).toEqual({
      names: new Set(['ls']),
      foldedNames: new Set(['Git']),
    });
  });

  it('asks about everything where letters beyond ASCII are compared without case', () => {
    expect(asked('prefix_rule(["straße"], canonical_matching=True)')).toBe('all');
  });
});
