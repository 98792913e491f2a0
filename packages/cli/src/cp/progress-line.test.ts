import { describe, expect, it } from 'vitest';
import { byteSize } from './byte-size.js';
import { copiedSentence, drawProgress } from './progress-line.js';

const state = { name: 'a.bin', bytes: 25e6, totalBytes: 50e6, files: 1, elapsedMs: 1000 };

describe('drawProgress', () => {
  it('shows a bar, the share, sizes and the rate', () => {
    expect(drawProgress(state, 100)).toBe(
      'a.bin  [============            ]  50%  25.0 MB of 50.0 MB  25.0 MB/s',
    );
  });

  it('counts the files where there are several', () => {
    const tree = { ...state, name: 'sub/a', files: 12 };
    expect(drawProgress({ ...tree, totalFiles: 3001 }, 100)).toBe(
      'sub/a  12 of 3001  [======      ]  50%  25.0 MB of 50.0 MB  25.0 MB/s',
    );
    expect(drawProgress({ ...tree, totalBytes: undefined }, 80)).toBe('sub/a  12 files  25.0 MB  25.0 MB/s');
    expect(drawProgress({ ...tree, files: 0, totalFiles: 2, bytes: 0 }, 100)).toContain('0 of 2  [');
  });

  it('has room for a name beside a count in a usual terminal', () => {
    const tree = { ...state, name: 'sub/directory/file', files: 1234, totalFiles: 3001 };
    expect(drawProgress(tree, 80)).toMatch(/^…\S{8,} {2}1234 of 3001 {2}\[/);
  });

  it('never fills the line, however long the name or narrow the terminal', () => {
    const long = { ...state, name: 'x'.repeat(500) };
    for (const columns of [1, 10, 40, 80, 200])
      expect(drawProgress(long, columns).length).toBeLessThan(Math.max(columns, 1) + 1);
    expect(drawProgress(long, 80)).toContain('…x');
  });

  it('lets no name move the cursor', () => {
    expect(drawProgress({ ...state, name: '\x1b[2Jb\n' }, 100)).toContain('\\u{1b}[2Jb\\n');
  });

  it('counts without a bar while the total is not known', () => {
    expect(drawProgress({ ...state, totalBytes: undefined }, 80)).toBe('a.bin  25.0 MB  25.0 MB/s');
  });

  it('an empty file is whole', () => {
    expect(drawProgress({ ...state, bytes: 0, totalBytes: 0 }, 100)).toContain('100%');
  });
});

describe('copiedSentence', () => {
  it('counts files and bytes', () => {
    expect(copiedSentence(state)).toBe('copied 1 file, 25.0 MB in 1.0 s');
    expect(copiedSentence({ ...state, files: 3 })).toContain('3 files');
  });
});

describe('byteSize', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [99_949, '99.9 kB'],
    [123_456, '123 kB'],
    [999_999, '1.0 MB'],
    [5e12, '5.0 TB'],
    [5e15, '5000 TB'],
  ])('%d', (bytes, text) => {
    expect(byteSize(bytes)).toBe(text);
  });
});
