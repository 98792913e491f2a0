import { describe, expect, it } from 'vitest';
import { plainCommands } from './plain-commands.js';

describe('plainCommands', () => {
  it.each<[string, string[][]]>([
    ['ls', [['ls']]],
    ['  git   push  ', [['git', 'push']]],
    ['a && b || c; d | e', [['a'], ['b'], ['c'], ['d'], ['e']]],
    ['a\n\nb;', [['a'], ['b']]],
    ['a &&\n b', [['a'], ['b']]],
    [`echo 'a b' "c d" e'f'"g"`, [['echo', 'a b', 'c d', 'efg']]],
    [`echo '' ""`, [['echo', '', '']]],
    ["'if' x", [['if', 'x']]],
    ["'git' push", [['git', 'push']]],
    ['ls *.txt [ab]?', [['ls', '*.txt', '[ab]?']]],
    ['make CC=gcc -j4', [['make', 'CC=gcc', '-j4']]],
    ["echo '$(rm)' 'a && b'", [['echo', '$(rm)', 'a && b']]],
    ['grüße größe', [['grüße', 'größe']]],
  ])('%j', (script, commands) => {
    expect(plainCommands(script)?.commands).toEqual(commands);
  });

  it.each([
    '',
    '   ',
    'echo $HOME',
    'echo "$HOME"',
    'echo `id`',
    'echo $(id)',
    'a > b',
    'a < b',
    'a 2>&1',
    'cat <<EOF\nx\nEOF',
    'a & b',
    'a &',
    '(a)',
    '{ a; }',
    'if true; then a; fi',
    'for x in 1; do a; done',
    'FOO=bar a',
    '! a',
    'a |& b',
    'a ;; b',
    '&& a',
    'a &&',
    'a |',
    'a "b\\"c"',
    'a\\ b',
    "a 'b",
    'g*t push',
    '~/bin/x',
    'echo # comment',
    'a\u0000b',
    '[[ a ]]',
    'f() { a; }',
    "''",
    'a {b,c}',
  ])('%j is more than that', (script) => {
    expect(plainCommands(script)).toBeUndefined();
  });
});
