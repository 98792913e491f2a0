// A file that asks for too much is refused. Without a bound most of these would not end, or end this program.
import { describe, expect, it } from 'vitest';
import { ExecPolicyError, type ExecPolicyErrorCode } from './exec-policy-error.js';
import { parsePolicy } from './load/parse-policy.js';

function codeOf(text: string): ExecPolicyErrorCode | undefined {
  try {
    parsePolicy({ file: 'a.rules', text });
    return undefined;
  } catch (error) {
    if (error instanceof ExecPolicyError) return error.code;
    throw error;
  }
}

const nested = (open: string, close: string, depth: number): string =>
  `x = ${open.repeat(depth)}1${close.repeat(depth)}\n`;

describe('bounds', () => {
  it.each([
    ['steps', 'for a in range(1000):\n  for b in range(1000):\n    for c in range(1000): pass\n'],
    ['steps of a comprehension', 'x = [0 for a in range(2000) for b in range(2000)]\n'],
    ['steps of a built-in function', 'x = range(2147483647)\ny = any(x)\n'],
    ['text', 'x = "a" * 100000000\n'],
    ['text by doubling', 'x = "a"\nfor i in range(60): x += x\n'],
    ['a list by doubling', 'x = [1]\nfor i in range(60): x += x\n'],
    ['text of nested values', 'x = []\nfor i in range(190): x = [x, x]\ny = str(x)\n'],
    ['searching', 'x = "a" * 2000000\ny = "b" + "a" * 1000000\nfor i in range(100): x.find(y)\n'],
    ['a list that holds itself', 'x = []\nx.append(x)\ny = x == [x]\nrepr(x)\n'],
    ['numbers', 'x = 7\nfor i in range(100): x = x * x\n'],
    ['a literal number', `x = ${'9'.repeat(100_000)}\n`],
    ['recursion', 'def f(): return f()\nf()\n'],
    ['recursion through a key', 'def f(x): return sorted([1], key=f)\nf(1)\n'],
    ['brackets', nested('(', ')', 300)],
    ['lists', nested('[', ']', 300)],
    ['signs', nested('-', '', 300)],
    ['not', nested('not ', '', 300)],
    ['lambdas', nested('lambda: ', '', 300)],
    ['conditionals', nested('1 if 1 else ', '', 300)],
    ['calls', `x = len${'()'.repeat(300)}\n`],
    ['blocks', Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth)}if 1:\n`).join('')],
    ['brackets and calls together', `def f(n): return ${'['.repeat(190)}f(n)${']'.repeat(190)}\nf(1)\n`],
    ['the file', `#${'x'.repeat(1024 * 1024)}`],
  ])('%s', (_, text) => {
    expect(codeOf(text)).toBe('RULES_LIMIT');
  });

  // Arguments of one call lie on a stack, and that is smaller than these lists may be.
  it.each([
    ['what follows a star', 'def f(*a): return len(a)\nx = f(*range(600000))\n'],
    ['statements of a line', `if 0:\n  ${'1;'.repeat(520_000)}\n`],
  ])('leaves room for many: %s', (_, text) => {
    expect(codeOf(text)).toBeUndefined();
  });

  it('leaves room for long chains, which are not nested', () => {
    expect(codeOf(`x = 1${' + 1'.repeat(10_000)}\ny = 1${' or 1'.repeat(10_000)}\n`)).toBeUndefined();
  });
});
