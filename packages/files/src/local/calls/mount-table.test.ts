import { describe, expect, it } from 'vitest';
import { hasOnlyLocalMounts } from './mount-table.js';

const line = (mountPoint: string, type: string) =>
  `36 35 98:0 / ${mountPoint} rw,noatime master:1 - ${type} /dev/root rw`;

describe('the mount table', () => {
  it('is local when every mount is', () => {
    expect(
      hasOnlyLocalMounts([line('/', 'ext4'), line('/proc', 'proc'), line('/tmp', 'tmpfs'), ''].join('\n')),
    ).toBe(true);
  });

  it('is not when a path could lead to a file system that may keep a call waiting', () => {
    for (const type of ['nfs4', 'fuse.sshfs', '9p', 'autofs', 'cifs', 'virtiofs', 'something-new']) {
      expect(hasOnlyLocalMounts([line('/', 'ext4'), line('/mnt/far', type)].join('\n')), type).toBe(false);
    }
  });

  it('leaves out the places of the system itself', () => {
    const desktop = [
      line('/', 'btrfs'),
      line('/proc/sys/fs/binfmt_misc', 'autofs'),
      line('/run/user/1000/gvfs', 'fuse.gvfsd-fuse'),
    ];
    expect(hasOnlyLocalMounts(desktop.join('\n'))).toBe(true);
  });
});
