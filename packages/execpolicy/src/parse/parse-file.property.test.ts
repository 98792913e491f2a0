// Whatever the text is: a tree or an error of our own, and soon.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ExecPolicyError } from '../exec-policy-error.js';
import { tokenize } from '../lex/lexer.js';
import { parsePolicy } from '../load/parse-policy.js';
import { SourceText } from '../source/source-text.js';
import { parseFile } from './parse-file.js';

const RUNS = process.env['SOAK'] === '1' ? 20_000 : 500;

const PIECES = [
  ...'and break continue def elif else for if in lambda load not or pass return while'.split(' '),
  ...'( ) [ ] { } , : . ; = == != < <= > >= + - * ** // % += -= | & ~ @ $ \\ # " \' """ f" r" {'.split(' '),
  ...[
    'x',
    'y',
    'prefix_rule',
    '1',
    '0x1f',
    '017',
    '1.5',
    '"a"',
    "'b'",
    'f"{x}"',
    '\\n',
    'é',
    '\u{1f600}',
    '\ud800',
  ],
  ...['\n', '\n  ', '\n    ', ' ', '\t', '\r\n', '\0'],
];

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(' ')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join('')),
);

function orOwnError(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(ExecPolicyError);
    const { place, message } = error as ExecPolicyError;
    expect(place?.file ?? message).toContain('a.rules');
  }
}

it('the lexer ends with tokens, or with an error of its own', () => {
  fc.assert(
    fc.property(text, (source) => {
      orOwnError(() => {
        const tokens = tokenize(new SourceText('a.rules', source));
        expect(tokens.at(-1)?.kind).toBe('end');
        const count = (kind: string) => tokens.filter((token) => token.kind === kind).length;
        expect(count('indent')).toBe(count('dedent'));
      });
    }),
    { numRuns: RUNS },
  );
});

it('the parser ends with a tree, or with an error of its own', () => {
  fc.assert(
    fc.property(text, (source) => orOwnError(() => parseFile(new SourceText('a.rules', source)))),
    { numRuns: RUNS },
  );
});

it('a whole file ends with a policy, or with an error of its own', () => {
  fc.assert(
    fc.property(text, (source) => orOwnError(() => parsePolicy({ file: 'a.rules', text: source }))),
    { numRuns: RUNS },
  );
});
