import { describe, expect, it } from 'vitest';
import { parseCopy, parseCopyPlace } from './copy-place.js';

describe('parseCopyPlace', () => {
  it.each([
    ['file', { side: 'local', path: 'file' }],
    ['./:odd', { side: 'local', path: './:odd' }],
    ['C:odd', { side: 'local', path: 'C:odd' }],
    [':/a/b', { side: 'remote', path: '/a/b' }],
    [':relative', { side: 'remote', path: 'relative' }],
    ['ws://h:7777:/a', { side: 'remote', path: '/a', url: 'ws://h:7777' }],
    ['ws://h:7777:a:b', { side: 'remote', path: 'a:b', url: 'ws://h:7777' }],
    ['wss://h.example:/a', { side: 'remote', path: '/a', url: 'wss://h.example' }],
    ['wss://h/base:/a', { side: 'remote', path: '/a', url: 'wss://h/base' }],
    ['ws://[::1]:80:/a', { side: 'remote', path: '/a', url: 'ws://[::1]:80' }],
  ])('%s', (text, place) => {
    expect(parseCopyPlace(text)).toEqual(place);
  });

  it.each(['ws://h:7777', 'ws://h', 'ws://h:7777:', 'ws://h:77/base', 'ws://[::1]:80'])(
    '%s names a server and no path',
    (text) => {
      expect(() => parseCopyPlace(text)).toThrow('an address needs a path behind it');
    },
  );

  it.each(['', ':'])('refuses %j', (text) => {
    expect(() => parseCopyPlace(text)).toThrow();
  });
});

describe('parseCopy', () => {
  it('tells the direction', () => {
    expect(parseCopy('a', ':b')).toEqual({ direction: 'upload', local: 'a', remote: 'b' });
    expect(parseCopy('ws://h:1:/b', 'a')).toEqual({
      direction: 'download',
      local: 'a',
      remote: '/b',
      url: 'ws://h:1',
    });
  });

  it.each([
    ['a', 'b'],
    [':a', ':b'],
  ])('refuses %s and %s on the same side', (from, to) => {
    expect(() => parseCopy(from, to)).toThrow('both paths are');
  });
});
