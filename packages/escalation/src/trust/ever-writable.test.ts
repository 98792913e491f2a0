import { MountedNames } from '@codex/sandbox';
import { describe, expect, it } from 'vitest';
import { EverWritable } from './ever-writable.js';
import type { LocatedPlaces } from './writable-places.js';

const below = (folder: string, device = 1): LocatedPlaces => ({
  isWritable: (path) => path.startsWith(folder),
  devices: new Set([device]),
  key: folder,
});

describe('EverWritable', () => {
  it('remembers what each sandbox could write', () => {
    const ever = new EverWritable(() => new MountedNames(''));
    ever.add(below('/a', 1));
    ever.add(below('/b', 2));
    expect(['/a/x', '/b/x', '/c/x'].map((path) => ever.isWritable(path))).toEqual([true, true, false]);
    expect(ever.isWritableAnywhere('/a/x')).toBe(true);
    expect([...ever.devices]).toEqual([1, 2]);
  });

  it('trusts nothing when there were too many to remember', () => {
    const ever = new EverWritable(() => new MountedNames(''));
    for (let index = 0; index < 512; index++) ever.add(below(`/${index}/`));
    ever.add(below('/0/'));
    expect(ever.isKnown.isTrusted).toBe(true);
    ever.add(below('/one more/'));
    expect(ever.isKnown.isTrusted).toBe(false);
  });

  it('knows other names of what can be written, as the mounts are when it looks', () => {
    let mounts = '22 1 8:1 / / rw - ext4 a rw\n';
    const ever = new EverWritable(() => new MountedNames(mounts));
    ever.add(below('/project'));
    mounts += '23 22 8:1 /project /www rw - ext4 a rw\n';
    expect(ever.isWritable('/www/x')).toBe(false);
    ever.lookAtMounts();
    expect([ever.isWritable('/www/x'), ever.isWritableAnywhere('/www/x')]).toEqual([true, true]);
  });
});
