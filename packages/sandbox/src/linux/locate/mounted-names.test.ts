import { describe, expect, it } from 'vitest';
import { MountedNames } from './mounted-names.js';

const names = new MountedNames(`22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
23 22 0:5 / /proc rw - proc proc rw
24 22 8:1 /home/me/project /var/www/project ro - ext4 /dev/sda1 rw
25 22 8:1 /home/me/tool /opt/bin/tool rw - ext4 /dev/sda1 rw
26 22 8:2 / /data rw - ext4 /dev/sdb1 rw
27 22 0:40 /@home /home/you rw - btrfs /dev/sdc1 rw
28 22 0:40 / /pool rw - btrfs /dev/sdc1 rw
29 22 8:1 /srv/a\\040b /mnt/a\\040b rw - ext4 /dev/sda1 rw
30 22 8:1 /hidden /mnt/twice rw - ext4 /dev/sda1 rw
31 22 8:1 /shown /mnt/twice rw - ext4 /dev/sda1 rw
`);

describe('MountedNames', () => {
  it.each([
    ['/usr/bin/git', ['/usr/bin/git']],
    ['/data/x', ['/data/x']],
    ['/proc/self', ['/proc/self']],
    ['/var/www/project', ['/var/www/project', '/home/me/project']],
    ['/var/www/project/bin/tool', ['/var/www/project/bin/tool', '/home/me/project/bin/tool']],
    ['/home/me/project/x', ['/home/me/project/x', '/var/www/project/x']],
    ['/home/me/projects', ['/home/me/projects']],
    ['/home/me', ['/home/me']],
    ['/opt/bin/tool', ['/opt/bin/tool', '/home/me/tool']],
    ['/home/you/x', ['/home/you/x', '/pool/@home/x']],
    ['/pool/@home/x', ['/pool/@home/x', '/home/you/x']],
    ['/mnt/a b/c', ['/mnt/a b/c', '/srv/a b/c']],
    ['/mnt/twice/x', ['/mnt/twice/x', '/shown/x']],
    ['/', ['/']],
  ])('%s', (path, expected) => {
    expect(names.of(path)).toEqual(expected);
  });

  it('knows nothing more where there is no such table', () => {
    expect(new MountedNames('').of('/usr/bin/git')).toEqual(['/usr/bin/git']);
  });
});
