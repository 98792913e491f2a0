import { describe, expect, it } from 'vitest';
import { LastLine } from './last-line.js';

const after = (text: string): string | undefined => new LastLine().after(Buffer.from(text));

describe('the last line', () => {
  it.each([
    ['one\ntwo\n\n', 'two'],
    ['\u001b[31mred\u001b[0m\r\n', 'red'],
    ['50 %\r60 %', '60 %'],
    // Titles, links and what a terminal obeys: nothing of it is left.
    ['\u001b]0;title\u0007done', 'done'],
    ['\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'link'],
    ['a\u009b2Jb\u009d0;t\u009cc', 'abc'],
    ['a\u202eb\u200bc\u0008', 'abc'],
    ['ok\u001b[', 'ok'],
    ['\u001b]0;unfinished', undefined],
  ])('%j', (text, line) => {
    expect(after(text)).toBe(line);
  });
});
