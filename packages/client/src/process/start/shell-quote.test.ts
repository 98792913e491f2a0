import { describe, expect, it } from 'vitest';
import { shellJoin, shellQuote, templateScript } from './shell-quote.js';

const template = (strings: TemplateStringsArray, ...values: Parameters<typeof templateScript>[1]): string =>
  templateScript(strings, values);

describe('shell quoting', () => {
  it('leaves plain words and quotes the rest', () => {
    expect(shellQuote('a-b_c/d.e=f:g,h@i+j%')).toBe('a-b_c/d.e=f:g,h@i+j%');
    expect(shellQuote('')).toBe("''");
    expect(shellQuote(`it's $x \`y\` "z" \\`)).toBe(`'it'\\''s $x \`y\` "z" \\'`);
    expect(shellJoin(['git', 'commit', '-m', 'two words'])).toBe("git commit -m 'two words'");
  });

  it('makes one word of a value and several of a list', () => {
    expect(template`ls ${'a b'} -n ${3} ${['x y', 'z']} | wc`).toBe("ls 'a b' -n 3 'x y' z | wc");
    expect(template`${';rm -rf /'}`).toBe("';rm -rf /'");
    expect(template`no values`).toBe('no values');
    expect(template`empty ${''} ${[]}`).toBe("empty '' ");
  });
});
