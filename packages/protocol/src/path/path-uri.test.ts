import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPath, PathUriError, parsePathBytes, parsePathInput, pathToFileUri } from './path-uri.js';

const refusal = (text: string) => {
  try {
    return parsePathInput(text).path;
  } catch (error) {
    if (error instanceof PathUriError) return `${error.code}: ${error.message}`;
    throw error;
  }
};

describe('a file URI', () => {
  it.each([
    ['file:///tmp', '/tmp'],
    ['file:///', '/'],
    ['file:', '/'],
    ['file:/tmp', '/tmp'],
    ['FILE:///tmp', '/tmp'],
    [' file:///tmp ', '/tmp'],
    ['file://localhost/tmp', '/tmp'],
    ['file://LOCALHOST/tmp', '/tmp'],
    ['file:///tmp/a/', '/tmp/a'],
    ['file:////tmp//a', '/tmp/a'],
    ['file:///tmp/../etc', '/etc'],
    ['file:///tmp/%2e%2E/etc', '/etc'],
    ['file:///tmp/%2E%2E%2Fetc', '/etc'],
    ['file:///../../etc', '/etc'],
    ['file:///tmp/...', '/tmp/...'],
    ['file:///tmp%2Fa', '/tmp/a'],
    ['file:///tmp\\a', '/tmp/a'],
    ['file:///tmp/%5Cx', '/tmp/\\x'],
    ['file:///a%20b%25%0A', '/a b%\n'],
    ['file:///ü', '/ü'],
    ['file:///%C3%BC', '/ü'],
    ['file:///%zz', '/%zz'],
    ['file:///1:/x', '/1:/x'],
    ['file:///%43:/x', '/C:/x'],
    ['file:///a/C:/x', '/a/C:/x'],
    ['file:///%00/bad/path/L0M6L3g', '/C:/x'],
    ['file:///~', '/~'],
  ])('%s names %s', (uri, path) => {
    expect(parsePathInput(uri)).toEqual({ path, form: 'uri' });
  });

  it.each([
    ['file://host/tmp', "PATH_URI_FOREIGN: 'file://host/tmp' is invalid on 'linux'"],
    ['file://127.0.0.1/tmp', "PATH_URI_FOREIGN: 'file://127.0.0.1/tmp' is invalid on 'linux'"],
    ['file:///C:/x', "PATH_URI_FOREIGN: 'file:///C:/x' is invalid on 'linux'"],
    ['file:///C:', "PATH_URI_FOREIGN: 'file:///C:' is invalid on 'linux'"],
    ['file:///C%3A/x', "PATH_URI_FOREIGN: 'file:///C%3A/x' is invalid on 'linux'"],
    ['file:///tmp/%00x', "PATH_URI_INVALID: 'file:///tmp/%00x' is invalid on 'linux'"],
    ['file:///%00', "PATH_URI_INVALID: 'file:///%00' is invalid on 'linux'"],
    ['file:///%00/bad/path', "PATH_URI_INVALID: 'file:///%00/bad/path' is invalid on 'linux'"],
    ['file:///%00/bad/path/', "PATH_URI_INVALID: 'file:///%00/bad/path/' is invalid on 'linux'"],
    [
      'file:///%00/bad/path/L3RtcA==',
      "PATH_URI_INVALID: 'file:///%00/bad/path/L3RtcA==' is invalid on 'linux'",
    ],
    ['file:///%00/bad/path/L3RtcA', "PATH_URI_FOREIGN: 'file:///%00/bad/path/L3RtcA' is invalid on 'linux'"],
    ['file:///%00/bad/path/dG1w', "PATH_URI_FOREIGN: 'file:///%00/bad/path/dG1w' is invalid on 'linux'"],
    [
      'file:///%00/bad/path/L0M6Ly4uL3g',
      "PATH_URI_FOREIGN: 'file:///%00/bad/path/L0M6Ly4uL3g' is invalid on 'linux'",
    ],
    [
      'file:///%00/bad/path/L0M6L3gA',
      "PATH_URI_INVALID: 'file:///%00/bad/path/L0M6L3gA' is invalid on 'linux'",
    ],
    ['file:///tmp?x', 'PATH_URI_INVALID: query parameters are not allowed in path URIs'],
    ['file:///tmp?', 'PATH_URI_INVALID: query parameters are not allowed in path URIs'],
    ['file:///tmp#x', 'PATH_URI_INVALID: fragments are not allowed in path URIs'],
    ['http://x/tmp', 'PATH_URI_INVALID: unsupported path URI scheme `http`'],
    ['C:\\x', 'PATH_URI_INVALID: unsupported path URI scheme `c`'],
    ['file://u@localhost/tmp', 'PATH_URI_INVALID: invalid URI: not a URL'],
    ['file:///tmp/%ff', "PATH_URI_ENCODING: 'file:///tmp/%ff' is not a UTF-8 path"],
  ])('%s is refused', (uri, message) => {
    expect(refusal(uri)).toBe(message);
  });

  it('names the platform it is refused on', () => {
    expect(() => parsePathInput('file://host/x', 'macos')).toThrow("'file://host/x' is invalid on 'macos'");
  });
});

describe('a plain path', () => {
  it.each([
    ['/', '/'],
    ['/tmp/a b', '/tmp/a b'],
    ['/tmp/%20', '/tmp/%20'],
    ['/tmp/ü', '/tmp/ü'],
    ['//tmp/./a/../b/', '/tmp/b'],
    ['/..', '/'],
    ['/C:/x', '/C:/x'],
    ['/a\\b?c#d', '/a\\b?c#d'],
  ])('%s is read as %s', (text, path) => {
    expect(parsePathInput(text)).toEqual({ path, form: 'path' });
  });

  it.each(['tmp', '', './x', '~', '\\\\srv\\x'])('%j is refused, being relative', (text) => {
    expect(refusal(text)).toBe(
      'PATH_URI_INVALID: invalid URI: relative URL without a base (expected a `file:` URI or an absolute path)',
    );
  });

  it('cannot hold NUL', () => {
    expect(refusal('/a\0b')).toBe('PATH_URI_INVALID: a path cannot hold a NUL character');
  });
});

describe('output', () => {
  it.each([
    ['/tmp/a b', 'file:///tmp/a%20b'],
    ['/', 'file:///'],
    ["/a;b=c&d+e,f@g!h$i*j(k)'~:[]^|", "file:///a;b=c&d+e,f@g!h$i*j(k)'~:[]^|"],
    ['/"#%<>?\\`{}\x7f\n', 'file:///%22%23%25%3C%3E%3F%5C%60%7B%7D%7F%0A'],
    ['/ü', 'file:///%C3%BC'],
    ['/C:/x', 'file:///%00/bad/path/L0M6L3g'],
    ['/c|', 'file:///c%7C'],
  ])('%s is written as %s', (path, uri) => {
    expect(pathToFileUri(path)).toBe(uri);
    expect(formatPath(path, 'uri')).toBe(uri);
    expect(formatPath(path, 'path')).toBe(path);
  });

  it('refuses what has no URI', () => {
    expect(() => pathToFileUri('a')).toThrow(PathUriError);
    expect(() => pathToFileUri('/a\0')).toThrow(PathUriError);
  });
});

describe('bytes', () => {
  it('keep a name that is not UTF-8', () => {
    const name = Uint8Array.of(0x2f, 0x66, 0xff);
    expect(pathToFileUri(name)).toBe('file:///f%FF');
    expect(parsePathBytes('file:///f%FF')).toEqual({ path: undefined, bytes: name, form: 'uri' });
    expect(parsePathBytes('file:///f')).toEqual({
      path: '/f',
      bytes: Uint8Array.of(0x2f, 0x66),
      form: 'uri',
    });
  });

  const segment = fc.uint8Array({ minLength: 1, maxLength: 8 }).filter((bytes) => {
    const text = String.fromCharCode(...bytes);
    return !bytes.includes(0) && !bytes.includes(0x2f) && text !== '.' && text !== '..';
  });

  it('survive the way through a URI, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 4 }), (segments) => {
        const joined = segments.flatMap((part, index) => (index === 0 ? [...part] : [0x2f, ...part]));
        const path = Uint8Array.of(0x2f, ...joined);
        expect(parsePathBytes(pathToFileUri(path)).bytes).toEqual(path);
      }),
      { numRuns: 300 },
    );
  });
});

describe('round trips', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .filter((text) => !/[/\0]|\p{Surrogate}/u.test(text) && text !== '.' && text !== '..');

  it('path → URI → path', () => {
    fc.assert(
      fc.property(fc.array(name, { maxLength: 4 }), (names) => {
        const path = `/${names.join('/')}`;
        expect(parsePathInput(pathToFileUri(path))).toEqual({ path, form: 'uri' });
        expect(parsePathInput(path)).toEqual({ path, form: 'path' });
      }),
      { numRuns: 300 },
    );
  });

  it('refuses what is longer than any path before it is looked at', () => {
    const decoded = 'x'.repeat(4095);
    expect(parsePathInput(`file:///${'%78'.repeat(4095)}`).path).toBe(`/${decoded}`);
    for (const text of [`file:///${'%61/'.repeat(5000)}`, '/'.repeat(20_000), `/${'ä'.repeat(16_384)}`]) {
      expect(() => parsePathInput(text)).toThrow('File name too long');
      expect(() => parsePathBytes(text)).toThrow('File name too long');
    }
  });

  it.each([
    ['file:///a%2', '/a%2'],
    ['file:///%zz%41%4', '/%zzA%4'],
    ['file:///%', '/%'],
    ['file:///%c3%A4', '/ä'],
  ])('decodes the whole escapes of %s', (text, path) => {
    expect(parsePathInput(text).path).toBe(path);
  });

  it('no input yields a path with a dot segment, an empty segment or NUL', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '',
      'a',
      '%2e',
      '%2E%2e',
      '%2F',
      '%5C',
      '\\',
      '%00',
      ':',
      'C',
      '|',
      'ü',
    );
    const text = fc.tuple(fc.constantFrom('file:///', 'file:', '/', 'file://localhost/'), fc.array(part));
    fc.assert(
      fc.property(text, fc.constantFrom('/', ''), ([head, parts], glue) => {
        const path = refusal(head + parts.join(glue));
        if (path.startsWith('PATH_URI')) return;
        expect(path).toMatch(/^\/(?:[^/\0]+(?:\/[^/\0]+)*)?$/);
        expect(path.split('/')).not.toContain('..');
        expect(path.split('/')).not.toContain('.');
      }),
      { numRuns: 800 },
    );
  });
});
