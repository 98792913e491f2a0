// Whether every file system that a path could lead to is a local one. A remote or user-space one (NFS, FUSE, 9p,
// autofs) can keep a call waiting without end, and any path may reach it through a link, so one such mount is enough
// for the answer no. Mounts at places of the system's own, where no workspace lies, are left out of the account.
import * as fs from 'node:fs';

const LOCAL_TYPES = new Set(
  (
    'ext2 ext3 ext4 xfs btrfs f2fs zfs bcachefs jfs reiserfs tmpfs ramfs rootfs overlay aufs squashfs erofs iso9660 ' +
    'vfat exfat ntfs3 proc sysfs devtmpfs devpts mqueue hugetlbfs cgroup cgroup2 debugfs tracefs securityfs pstore ' +
    'bpf configfs fusectl binfmt_misc nsfs efivarfs selinuxfs'
  ).split(' '),
);

const SYSTEM_PLACES = ['/proc/', '/sys/', '/dev/', '/run/user/', '/var/lib/lxcfs/'];

const REFRESH_MS = 2000;
const MOUNTS = '/proc/self/mountinfo';

/** `mountinfo` is the text of /proc/self/mountinfo. */
export function hasOnlyLocalMounts(mountinfo: string): boolean {
  return mountinfo.split('\n').every((line) => {
    const [before, after] = line.split(' - ');
    const mountPoint = before?.split(' ')[4];
    const type = after?.split(' ')[0];
    if (mountPoint === undefined || type === undefined) return true;
    return LOCAL_TYPES.has(type) || isSystemPlace(mountPoint);
  });
}

export function isSystemPlace(path: string): boolean {
  return SYSTEM_PLACES.some((place) => path.startsWith(place));
}

/** Holds the last answer and renews it in the background, at most every two seconds. */
export class MountTable {
  #isLocal = false;
  #readAt = Number.NEGATIVE_INFINITY;
  #isReading = false;

  /** False until the first reading is done, and wherever there is no /proc. */
  isLocal(now: number): boolean {
    if (this.isOld(now)) this.refresh(now);
    return this.#isLocal;
  }

  /** The last answer; the caller renews it in its own time. */
  get wasLocal(): boolean {
    return this.#isLocal;
  }

  isOld(now: number): boolean {
    return now - this.#readAt > REFRESH_MS;
  }

  /** For a process whose event loop serves nothing else. */
  refreshSync(now: number): void {
    this.#readAt = now;
    try {
      this.#isLocal = process.platform === 'linux' && hasOnlyLocalMounts(fs.readFileSync(MOUNTS, 'utf8'));
    } catch {
      this.#isLocal = false;
    }
  }

  refresh(now: number): void {
    if (this.#isReading || process.platform !== 'linux') return;
    this.#isReading = true;
    this.#readAt = now;
    fs.readFile(MOUNTS, 'utf8', (error, text) => {
      this.#isReading = false;
      this.#isLocal = error === null && hasOnlyLocalMounts(text);
    });
  }
}
