import { describe, expect, it } from 'vitest';
import { onOneLine, onPlainLines, otherCharacters } from './shown-text.js';

describe('text in a question', () => {
  it.each([
    ['rm -rf "a b" # plain', 'rm -rf "a b" # plain'],
    ['a literal \\n stays two characters', 'a literal \\n stays two characters'],
    ['a\nb', 'a⟨U+000A⟩b'],
    ['a\rb\tc\0d', 'a⟨U+000D⟩b⟨tab⟩c⟨U+0000⟩d'],
    ['\u001b[2J\u009b1m', '⟨U+001B⟩[2J⟨U+009B⟩1m'],
    ['echo \u202etxt.exe\u2066', 'echo ⟨U+202E⟩txt.exe⟨U+2066⟩'],
    ['r\u200bm\u00ad\ufeff\u{e0041}', 'r⟨U+200B⟩m⟨U+00AD⟩⟨U+FEFF⟩⟨U+E0041⟩'],
    ['a\u00a0b\u3000c\u2028d', 'a⟨U+00A0⟩b⟨U+3000⟩c⟨U+2028⟩d'],
    // A stroke through every letter of what will run.
    ['r\u0336m\u0336', 'r⟨U+0336⟩m⟨U+0336⟩'],
    ['\u20ddé', '⟨U+20DD⟩é'],
    // What looks like an escape is written as one.
    ['⟨U+0020⟩', '⟨U+27E8⟩U+0020⟨U+27E9⟩'],
    ['\ud800', '⟨U+D800⟩'],
    [`x${' '.repeat(40)}y`, `x${' '.repeat(40)}y`],
    [`x${' '.repeat(4000)}; y`, 'x⟨4000 spaces⟩; y'],
    ['äöü €😀 नमस्ते', 'äöü €😀 नमस्ते'],
  ])('%j', (text, shown) => {
    expect(onOneLine(text)).toBe(shown);
  });

  it('has its lines where it has them', () => {
    expect(onPlainLines('one\n\ntwo\r\n')).toEqual(['one', '', 'two⟨U+000D⟩', '']);
  });

  it('names letters that look like others', () => {
    expect(otherCharacters('cat /etc/passwd')).toBe('');
    expect(otherCharacters('c\u0430t \u0430 \u037e\u202e')).toBe('\u0430 U+0430, \u037e U+037E');
    expect(otherCharacters('äöüÄÖÜßéè')).toMatch(/^ä U\+00E4, (.* ){8}and 1 more$/);
  });
});
