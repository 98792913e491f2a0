import { describe, expect, it } from 'vitest';
import { formatBytes, formatDuration, plural } from './format.js';
import { commandLine, commandTitle, safeText } from './safe-text.js';
import { maskSecrets } from './secrets.js';

describe('safeText', () => {
  it('spells out controls and marks that reorder or hide text', () => {
    expect(safeText('a\u001b[31mb\u0007')).toBe('a\\e[31mb\\x07');
    expect(safeText('exe\u202egnp.txt')).toBe('exe\\u{202e}gnp.txt');
    expect(safeText('a\u200bb\u{e0041}')).toBe('a\\u{200b}b\\u{e0041}');
    expect(safeText('grüße 漢字 👍 e\u0301 हिन्दी')).toBe('grüße 漢字 👍 e\u0301 हिन्दी');
    expect(safeText(`z${'\u0351'.repeat(500)}y`)).toBe(`z${'\u0351'.repeat(3)}\\(497 marks)y`);
    expect(safeText('a\u3164b\ud800c')).toBe('a\\u{3164}b\\u{d800}c');
  });
});

describe('a command line', () => {
  it('quotes what a shell would split', () => {
    expect(commandLine(['echo', "it's", 'a b'])).toBe(String.raw`echo 'it'\''s' 'a b'`);
  });
  it('is called by the script of a shell', () => {
    expect(commandTitle(['/bin/bash', '-lc', ' npm test '])).toBe('npm test');
    expect(commandTitle(['bash', 'script.sh'])).toBe('bash script.sh');
  });
});

describe('maskSecrets', () => {
  const shown = (text: string): string =>
    maskSecrets(text)
      .map((part) => (part.isSecret ? '•' : part.text))
      .join('');
  it('hides values that follow a telling name', () => {
    expect(shown('curl --token abc123 x')).toBe('curl --token • x');
    expect(shown('API_KEY=hunter2 make')).toBe('API_KEY=• make');
    expect(shown("curl -H 'Authorization: Bearer xyz'")).toBe("curl -H 'Authorization: Bearer •'");
    expect(shown('git clone https://me:pass@host/x')).toBe('git clone https://me:•@host/x');
    expect(shown('echo ghp_0123456789abcdef')).toBe('echo •');
  });
  it('leaves the rest as it is, whole', () => {
    const text = 'npm test -- --grep "tokens are counted" && ls author';
    expect(maskSecrets('ls -la /tmp')).toEqual([{ text: 'ls -la /tmp', isSecret: false }]);
    expect(
      maskSecrets(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });
});

describe('format', () => {
  it('is short', () => {
    expect(formatBytes(0)).toBe('0 B');
    expect(formatBytes(1_300_000)).toBe('1.3 MB');
    expect(formatDuration(3200)).toBe('3.2 s');
    expect(formatDuration(125_000)).toBe('2 min 5 s');
    expect(plural(1, 'process', 'processes')).toBe('1 process');
  });
});
