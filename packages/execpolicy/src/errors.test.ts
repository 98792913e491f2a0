// Every error names the file, the line and the column of what is wrong.
import { describe, expect, it } from 'vitest';
import { ExecPolicyError } from './exec-policy-error.js';
import { parsePolicy } from './load/parse-policy.js';

function errorOf(text: string): ExecPolicyError {
  try {
    parsePolicy({ file: 'a.rules', text });
  } catch (error) {
    if (error instanceof ExecPolicyError) return error;
    throw error;
  }
  throw new TypeError('it parsed');
}

describe('errors', () => {
  it.each([
    ['prefix_rule(["git"]', 'expected `,` or `)`, found the end of the line'],
    ['prefix_rule(["git"], allow)', 'nothing is called `allow` here, and text stands in quotes'],
    ['prefix_rule(["git"], "deny")', 'there is no decision "deny", only "allow", "prompt", "forbidden"'],
    ['prefix_rule(["git", 5])', 'an element of the pattern is a string or a list of strings, not an int'],
    ['\ufeffprefix_rule(["git"])', 'unexpected character U+FEFF'],
    ['prefix_rule([“git”])', 'unexpected character "“"'],
  ])('says of %j what would be right', (text, reason) => {
    expect(errorOf(text).reason).toBe(reason);
  });

  it.each([
    ['RULES_SYNTAX', 'x = 1\nprefix_rule(', 2, 13],
    ['RULES_SYNTAX', 'if True:\n  x = 1\n    y = 2\n', 3, 1],
    ['RULES_SYNTAX', 'x = "a\n', 1, 5],
    ['RULES_SYNTAX', 'é = 1', 1, 1],
    ['RULES_SYNTAX', 'x = "é" $', 1, 9],
    ['RULES_SYNTAX', 'def f():\n  return nothing\n', 2, 10],
    ['RULES_SYNTAX', '\tx = 1', 1, 1],
    ['RULES_UNSUPPORTED', 'x = 1.5', 1, 5],
    ['RULES_UNSUPPORTED', 'y = 1\nx = f"{y + 1}"', 2, 7],
    ['RULES_UNSUPPORTED', 'load("a.bzl", "x")', 1, 1],
    ['RULES_UNSUPPORTED', 'x = 1 | 2', 1, 7],
    ['RULES_EVALUATION', 'x = [1]\ny = x[1]', 2, 5],
    ['RULES_EVALUATION', 'x = 1 +\\\n  "a"', 1, 5],
    ['RULES_EVALUATION', 'x = fail("so", 1)', 1, 5],
    ['RULES_INVALID', 'x = 1\n\nprefix_rule(\n  ["a"],\n  decision="maybe",\n)', 3, 1],
    ['RULES_EXAMPLE', 'x = 1\nprefix_rule(["a"], match=["b"])\ny = 2', 2, 1],
    ['RULES_EXAMPLE', 'def f():\n    prefix_rule(["a"], not_match=["a b"])\nf()', 2, 5],
    ['RULES_LIMIT', 'x = 1\ny = "a" * 100000000', 2, 5],
  ] as const)('%s in %j', (code, text, line, column) => {
    const error = errorOf(text);
    expect(error.code).toBe(code);
    expect(error.place).toEqual({ file: 'a.rules', line, column });
    expect(error.message).toBe(
      `failed to parse policy at a.rules\n  ${error.reason}\n  at a.rules:${line}:${column}`,
    );
  });
});
