import { describe, expect, it } from 'vitest';
import { WatchedDirectory } from './watched-directory.js';

describe('a watched directory', () => {
  it('has a path that follows from its place', () => {
    const root = new WatchedDirectory('/root');
    const a = new WatchedDirectory('a', root);
    const deep = new WatchedDirectory('deep', a);
    const other = new WatchedDirectory('other', root);
    expect(deep.path).toBe('/root/a/deep');
    a.moveTo(other, 'b');
    expect(deep.path).toBe('/root/other/b/deep');
    expect(root.child('a')).toBeUndefined();
    expect(deep.isBelow(root)).toBe(true);
    expect([...root.all()].map(({ path }) => path)).toEqual([
      '/root',
      '/root/other',
      '/root/other/b',
      '/root/other/b/deep',
    ]);
  });

  it('knows when it is no longer in the tree, though its name is taken again', () => {
    const root = new WatchedDirectory('/root');
    const first = new WatchedDirectory('a', root);
    const below = new WatchedDirectory('b', first);
    first.leave();
    const second = new WatchedDirectory('a', root);
    expect([first.isBelow(root), below.isBelow(root), second.isBelow(root)]).toEqual([false, false, true]);
    first.leave();
    expect(root.child('a')).toBe(second);
  });
});
