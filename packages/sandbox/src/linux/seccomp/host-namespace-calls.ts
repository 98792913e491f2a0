// What a command that shares the namespaces of the host could do to it, and Landlock does not see. The filter sees neither
// paths nor owners, so each of these is refused as a whole.
import type { SyscallName } from './syscall-numbers.js';

/** Modes, owners, times, extended attributes: of every file of the user, also where nothing may be written. */
export const attributeChanges: readonly SyscallName[] = [
  'chmod',
  'fchmod',
  'fchmodat',
  'fchmodat2',
  'chown',
  'fchown',
  'lchown',
  'fchownat',
  'utime',
  'utimes',
  'futimesat',
  'utimensat',
  'setxattr',
  'lsetxattr',
  'fsetxattr',
  'removexattr',
  'lremovexattr',
  'fremovexattr',
  'setxattrat',
  'removexattrat',
  'file_setattr',
];

/**
 * FS_IOC_SETFLAGS, its 32-bit form, FS_IOC_FSSETXATTR, FS_IOC_SETVERSION and its 32-bit form, ext4's own and its 32-bit form: what
 * `chattr` does. FS_IOC_ENABLE_VERITY and FS_IOC_SET_ENCRYPTION_POLICY, after which a file, or a folder, is another for good.
 */
export const attributeRequests: readonly number[] = [
  0x40086602, 0x40046602, 0x401c5820, 0x40087602, 0x40047602, 0x40086604, 0x40046604, 0x40806685, 0x800c6613,
];

/**
 * Landlock is not asked when a subvolume of btrfs is made or removed, so that it can be where nothing may be written (both forms of each);
 * nor when one is made read-only, or is given another origin (both forms).
 */
export const subvolumeRequests: readonly number[] = [
  0x5000940e, 0x50009418, 0x5000940f, 0x5000943f, 0x4008941a, 0xc0c89425, 0xc0c09425,
];

/** Memory, queues and semaphores that belong to the host; memory of other processes; and what root could set for all. */
export const sharedWithHost: readonly SyscallName[] = [
  'shmget',
  'shmat',
  'shmctl',
  'semget',
  'semop',
  'semctl',
  'semtimedop',
  'msgget',
  'msgsnd',
  'msgrcv',
  'msgctl',
  'mq_open',
  'mq_unlink',
  'process_madvise',
  'process_mrelease',
  'move_pages',
  'migrate_pages',
  'acct',
  'quotactl',
  'quotactl_fd',
  'sethostname',
  'setdomainname',
  'settimeofday',
  'clock_settime',
  'syslog',
  'vhangup',
];

/** Limits and priorities: of the caller itself only. A command sets them for another of its own threads by number, and cannot here. */
export const ownProcessOnly = {
  byPid: ['prlimit64', 'sched_setparam', 'sched_setscheduler', 'sched_setaffinity', 'sched_setattr'],
  /** PRIO_PROCESS */
  priorityOfProcess: 0,
  /** IOPRIO_WHO_PROCESS */
  ioPriorityOfProcess: 1,
} as const satisfies {
  byPid: readonly SyscallName[];
  priorityOfProcess: number;
  ioPriorityOfProcess: number;
};
