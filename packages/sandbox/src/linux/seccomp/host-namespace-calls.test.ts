import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../test-support/evaluate-bpf.js';
import { buildSeccompProgram } from './seccomp-program.js';
import {
  auditArchitecture,
  type SeccompArchitecture,
  type SyscallName,
  syscallNumber,
} from './syscall-numbers.js';

const allow = 0x7fff0000;
const perm = 0x00050001;

describe.each<SeccompArchitecture>(['x64', 'arm64'])('without namespaces, on %s', (architecture) => {
  const decide = (attributes: boolean, name: SyscallName, ...args: number[]): number | undefined => {
    const nr = syscallNumber(name, architecture);
    const program = buildSeccompProgram({
      architecture,
      network: 'enabled',
      unixSockets: false,
      privateNetwork: false,
      hostNamespaces: { attributes },
    });
    if (nr === undefined) return undefined;
    return evaluate(program, { nr, arch: auditArchitecture[architecture], args: args.map(BigInt) });
  };

  it('attributes of files are refused unless they are opened', () => {
    for (const name of ['fchmod', 'fchownat', 'utimensat', 'fsetxattr', 'file_setattr'] as const) {
      expect(decide(false, name), name).toBe(perm);
      expect(decide(true, name), name).toBe(allow);
    }
    expect(decide(false, 'chmod')).toBe(architecture === 'x64' ? perm : undefined);
    expect(decide(false, 'ioctl', 0, 0x40086602)).toBe(perm);
    expect(decide(true, 'ioctl', 0, 0x40086602)).toBe(allow);
    expect(decide(false, 'ioctl', 0, 0x5401)).toBe(allow);
    // ext4's generation, verity, encryption.
    for (const request of [0x40086604, 0x40806685, 0x800c6613]) {
      expect(decide(false, 'ioctl', 0, request)).toBe(perm);
      expect(decide(true, 'ioctl', 0, request)).toBe(allow);
    }
  });

  it('subvolumes are neither made nor removed nor closed, and quotas are not set', () => {
    for (const request of [
      0x5000940e, 0x50009418, 0x5000940f, 0x5000943f, 0x4008941a, 0xc0c89425, 0xc0c09425,
    ])
      for (const attributes of [true, false]) expect(decide(attributes, 'ioctl', 0, request)).toBe(perm);
    expect(decide(true, 'quotactl_fd')).toBe(perm);
  });

  it('limits and priorities are those of the caller', () => {
    for (const name of ['prlimit64', 'sched_setaffinity', 'sched_setscheduler', 'sched_setattr'] as const) {
      expect(decide(true, name, 0), name).toBe(allow);
      expect(decide(true, name, 4711), name).toBe(perm);
    }
    expect(decide(true, 'setpriority', 0, 0, 5)).toBe(allow);
    expect(decide(true, 'setpriority', 0, 4711, 5)).toBe(perm);
    expect(decide(true, 'setpriority', 2, 0, 5)).toBe(perm);
    expect(decide(true, 'ioprio_set', 1, 0, 5)).toBe(allow);
    expect(decide(true, 'ioprio_set', 1, 4711, 5)).toBe(perm);
    expect(decide(true, 'ioprio_set', 3, 0, 5)).toBe(perm);
  });

  it('memory and sockets of the host are out of reach, pairs are not', () => {
    for (const name of ['shmget', 'shmat', 'msgget', 'semget', 'mq_open'] as const)
      expect(decide(true, name), name).toBe(perm);
    expect(decide(true, 'socket', 1, 1, 0)).toBe(perm);
    expect(decide(true, 'socket', 2, 1, 0)).toBe(allow);
    expect(decide(true, 'socketpair', 1, 1)).toBe(allow);
    expect(decide(true, 'socketpair', 1, 2)).toBe(perm);
  });
});
