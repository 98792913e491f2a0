import { describe, expect, it } from 'vitest';
import { parsePatch } from './parse-patch.js';
import { patchedText } from './patched-text.js';

function patched(original: string, body: string): string {
  const [file] = parsePatch(`*** Begin Patch\n*** Update File: f\n${body}\n*** End Patch`).files;
  if (file?.kind !== 'update') throw new TypeError('no update');
  return patchedText(original, file.chunks, { path: '/f' });
}

describe('a patched text', () => {
  it.each([
    ['one\ntwo\n', '@@\n-two\n+TWO', 'one\nTWO\n'],
    ['one\ntwo\n', '@@ \n-two\n+TWO', 'one\nTWO\n'],
    ['one\ntwo\n', ' one\n-two\n+TWO\n+more', 'one\nTWO\nmore\n'],
    ['a\nx\nb\nx\n', '@@ b\n-x\n+y', 'a\nx\nb\ny\n'],
    ['1\n2\n3\n4\n', '@@\n-1\n+one\n@@\n 3\n-4\n+four', 'one\n2\n3\nfour\n'],
    ['x\ny\nx\n', '@@\n-x\n+z\n*** End of File', 'x\ny\nz\n'],
    ['one\n', '@@\n+two', 'one\ntwo\n'],
    ['', '@@\n+one', 'one\n'],
    // What is added at the end does not keep later chunks from lines above it.
    ['one\ntwo\n', '@@\n+three\n@@\n-one\n+ONE', 'ONE\ntwo\nthree\n'],
    ['start\nend', '@@\n-end\n+END', 'start\nEND\n'],
    ['1\r\n2\r\n3\r\n', '@@\n 1\n-2\n+two\n+more', '1\r\ntwo\r\nmore\r\n3\r\n'],
    // The file's own blanks and quotes stay where a line is only mentioned.
    ['\tif (x) {  \n  y\n', '@@\n if (x) {\n-y\n+z', '\tif (x) {  \nz\n'],
    ['say \u201chi\u201d\nold\n', '@@\n say "hi"\n-old\n+new', 'say \u201chi\u201d\nnew\n'],
    // An empty last line of the patch is no line of the file.
    ['one\ntwo', '@@\n-two\n+TWO\n', 'one\nTWO\n'],
    ['one\n', '@@\n-one\n+1\n@@\n', '1\n'],
    ['1\n\n2\n', '-1\n+one\n\n 2', 'one\n\n2\n'],
    ['a\n *** Add File: x\n', '@@\n-a\n+b\n  *** Add File: x', 'b\n *** Add File: x\n'],
  ])('%j with %j', (original, body, expected) => {
    expect(patched(original, body)).toBe(expected);
  });

  it.each([
    ['one\n', '@@\n-two\n+x', 'Failed to find expected lines in /f:\ntwo'],
    ['one\n', '@@ two\n-one\n+x', "Failed to find context 'two' in /f"],
    ['a\nb\n', '@@\n-b\n+x\n@@\n-a\n+y', 'Failed to find expected lines in /f:\na'],
    ['a\nb\n', '@@\n-a\n+x\n*** End of File', 'Failed to find expected lines'],
    ['a\n', '@@\na', "invalid hunk at line 4, Unexpected line found in update hunk: 'a'"],
    [
      'a\n',
      '@@\n-a\n+b\nc',
      "invalid hunk at line 6, Expected update hunk to start with a @@ context marker, got: 'c'",
    ],
  ])('is none of %j with %j', (original, body, problem) => {
    expect(() => patched(original, body)).toThrow(problem);
  });
});

describe('a patch', () => {
  it('names files that are added, deleted, updated and moved', () => {
    const text =
      '\n*** Begin Patch\n*** Add File: a b.txt \n+one\n+\n*** Delete File: /c\n*** Update File: d\n*** Move to: e\n@@\n-x\n+y\n*** End Patch\n';
    expect(parsePatch(text).files).toEqual([
      { kind: 'add', path: 'a b.txt', content: 'one\n\n' },
      { kind: 'delete', path: '/c' },
      {
        kind: 'update',
        path: 'd',
        moveTo: 'e',
        chunks: [
          {
            context: undefined,
            lines: [
              { kind: 'remove', text: 'x' },
              { kind: 'add', text: 'y' },
            ],
            isAtEnd: false,
          },
        ],
      },
    ]);
    expect(parsePatch('*** Begin Patch\n*** End Patch').files).toEqual([]);
  });

  it.each([
    ['', "The first line of the patch must be '*** Begin Patch'"],
    ['*** Begin Patch', "The last line of the patch must be '*** End Patch'"],
    ['*** Begin Patch\nx\n*** End Patch', "invalid hunk at line 2, 'x' is not a valid hunk header"],
    ['*** Begin Patch\n*** Delete File: \n*** End Patch', "'*** Delete File:' is not a valid hunk header"],
    [
      '*** Begin Patch\n*** Update File: f\n*** End Patch',
      "invalid hunk at line 2, Update file hunk for path 'f' is empty",
    ],
  ])('is none as %j', (text, problem) => {
    expect(() => parsePatch(text)).toThrow(problem);
  });

  it('may name the machine that it is for', () => {
    const named = (lines: string) => parsePatch(`*** Begin Patch\n${lines}\n*** End Patch`).environmentId;
    expect(named('  *** Environment ID:  remote  \n*** Delete File: a')).toBe('remote');
    expect(named('*** Delete File: a')).toBeUndefined();
    expect(() => named('*** Environment ID: \n*** Delete File: a')).toThrow('cannot be empty');
    expect(() => named('*** Environment ID: a\n*** Environment ID: b')).toThrow('more than once');
  });

  it('may have the line ends of Windows, which are none of the file', () => {
    const text = '*** Begin Patch\r\n*** Add File: a\r\n+one\r\n+\r\n*** End Patch\r\n';
    expect(parsePatch(text).files).toEqual([{ kind: 'add', path: 'a', content: 'one\n\n' }]);
  });

  it.each([
    ['a name behind very many blanks', `*** Add File: ${' '.repeat(300_000)}x`],
    ['a name before very many blanks', `*** Delete File: x${' '.repeat(300_000)}`],
    ['very many blanks', ' '.repeat(300_000)],
  ])('is read in no time to speak of with %s', (_what, line) => {
    try {
      parsePatch(`*** Begin Patch\n${line}\n*** End Patch`);
    } catch {
      // Whether it is a patch is not the question: the test is over in time, or it is not.
    }
    expect(line.length).toBeGreaterThan(1);
  });

  it('holds no half of a character', () => {
    expect(() => parsePatch('*** Begin Patch\n*** Add File: a\n+\ud800\n*** End Patch')).toThrow('surrogate');
  });

  it('may add and keep as many lines as it likes', () => {
    const lines = 'x\n'.repeat(300_000);
    expect(patched(`${lines}end\n`, `@@\n-end\n+END\n@@\n${'+y\n'.repeat(300_000)}`.trimEnd())).toBe(
      `${lines}END\n${'y\n'.repeat(300_000)}`,
    );
  });

  it('of thousands of chunks is placed in no time to speak of', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}`);
    const body = lines.filter((_, index) => index % 10 === 0).map((line) => `@@\n-${line}\n+x`);
    expect(patched(lines.map((line) => `${line}  \n`).join(''), body.join('\n'))).toContain('line 49999  \n');
  });

  it('that looks for what repeats itself is given up in time', () => {
    // Every place agrees for ten thousand lines, and none to the end.
    const file = `${'x\n'.repeat(200_000)}y\n`;
    const body = `@@\n${' x\n'.repeat(20_000)} y\n x\n-y\n+z`;
    expect(() => patched(file, body)).toThrow('Failed to find expected lines');
  });

  it('of a hundred thousand lines takes no time to speak of', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index % 7}`).join('\n');
    expect(() => patched(`${lines}\n`, `@@\n${' line 1\n'.repeat(50)}-nothing\n+x`)).toThrow(
      'Failed to find',
    );
  });
});
