import { describe, expect, it } from 'vitest';
import { evaluate } from '../../../test-support/evaluate-bpf.js';
import type { NetworkPolicy } from '../../policy/policy-model.js';
import { buildSeccompProgram } from './seccomp-program.js';
import {
  auditArchitecture,
  type SeccompArchitecture,
  type SyscallName,
  syscallNumber,
  syscallNumbers,
} from './syscall-numbers.js';

const allow = 0x7fff0000;
const perm = 0x00050001;
const nosys = 0x00050026;
const kill = 0x80000000;

describe.each<SeccompArchitecture>(['x64', 'arm64'])('the filter for %s', (architecture) => {
  const decide = (network: NetworkPolicy, name: SyscallName | number, ...args: (number | bigint)[]): number =>
    evaluate(
      buildSeccompProgram({
        architecture,
        network,
        unixSockets: true,
        privateNetwork: network !== 'enabled',
      }),
      {
        nr: typeof name === 'number' ? name : (syscallNumber(name, architecture) ?? -1),
        arch: auditArchitecture[architecture],
        args: args.map(BigInt),
      },
    );

  it('kills a call of another architecture', () => {
    const program = buildSeccompProgram({
      architecture,
      network: 'enabled',
      unixSockets: true,
      privateNetwork: false,
    });
    expect(evaluate(program, { nr: 0, arch: 0x40000003, args: [] })).toBe(kill);
  });

  it.each<NetworkPolicy>(['restricted', 'loopback', 'enabled'])(
    '%s: denies what reaches other processes and the kernel',
    (network) => {
      for (const name of [
        'ptrace',
        'process_vm_readv',
        'io_uring_setup',
        'bpf',
        'keyctl',
        'mount',
        'setns',
        'move_mount',
        'open_tree_attr',
        'kexec_load',
        'userfaultfd',
        'pidfd_getfd',
      ] as const) {
        expect(decide(network, name), name).toBe(perm);
      }
      expect(decide(network, 'clone3')).toBe(nosys);
    },
  );

  it('refuses to make files that run as their owner or group, and nothing else of these calls', () => {
    const creating = 0x41;
    const calls: readonly (readonly [SyscallName, number, ...number[]])[] = [
      ['chmod', 1],
      ['fchmod', 1],
      ['creat', 1],
      ['mknod', 1],
      ['fchmodat', 2],
      ['fchmodat2', 2],
      ['mknodat', 2],
      ['open', 2, 0, creating],
      ['openat', 3, 0, 0, creating],
      ['openat', 3, 0, 0, 0x410001],
    ];
    for (const [name, at, ...before] of calls) {
      if (syscallNumber(name, architecture) === undefined) continue;
      const withMode = (mode: number): number =>
        decide('restricted', name, ...Array.from({ length: at }, (_, index) => before[index] ?? 0), mode);
      for (const mode of [0o4755, 0o2755, 0o6000]) expect(withMode(mode), `${name} ${mode}`).toBe(perm);
      for (const mode of [0, 0o755, 0o1777]) expect(withMode(mode), `${name} ${mode}`).toBe(allow);
    }
    // Nothing is created: what stands behind the flags is no mode.
    expect(decide('restricted', 'openat', 0, 0, 0x80000, 0o4755)).toBe(allow);
    expect(decide('restricted', 'openat2')).toBe(nosys);
  });

  it('refuses what connects unseen where ports are refused', () => {
    const options = { architecture, network: 'enabled', unixSockets: true, privateNetwork: false } as const;
    const programs = [true, false].map((refusesPorts) => buildSeccompProgram({ ...options, refusesPorts }));
    const verdicts = (name: SyscallName, ...args: number[]): number[] =>
      programs.map((program) =>
        evaluate(program, {
          nr: syscallNumber(name, architecture) ?? -1,
          arch: auditArchitecture[architecture],
          args: args.map(BigInt),
        }),
      );
    for (const family of [2, 10]) {
      for (const protocol of [0, 1, 6, 17, 58])
        expect(verdicts('socket', family, 1, protocol)).toEqual([allow, allow]);
      // MPTCP, SMC, SCTP.
      for (const protocol of [262, 256, 132])
        expect(verdicts('socket', family, 1, protocol)).toEqual([perm, allow]);
    }
    expect(verdicts('socket', 1, 1, 0)).toEqual([allow, allow]);
    const fastOpen = 0x20000000;
    expect(verdicts('sendto', 3, 0, 0, fastOpen | 0x4000)).toEqual([perm, allow]);
    expect(verdicts('sendmmsg', 3, 0, 1, fastOpen)).toEqual([perm, allow]);
    expect(verdicts('sendmsg', 3, 0, fastOpen)).toEqual([perm, allow]);
    expect(verdicts('sendto', 3, 0, fastOpen, 0x4000)).toEqual([allow, allow]);
    expect(verdicts('sendmsg', 3, fastOpen, 0)).toEqual([allow, allow]);
    // TCP_ULP, and its neighbours on both levels.
    expect(verdicts('setsockopt', 3, 6, 31)).toEqual([perm, allow]);
    expect(verdicts('setsockopt', 3, 6, 30)).toEqual([allow, allow]);
    expect(verdicts('setsockopt', 3, 1, 31)).toEqual([allow, allow]);
  });

  it('lets ordinary calls pass', () => {
    expect(decide('restricted', 0)).toBe(allow);
    expect(decide('restricted', 'clone', 0x01200011)).toBe(allow);
    expect(decide('restricted', 'clone', 0x003d0f00)).toBe(allow);
    expect(decide('restricted', 'unshare', 0x400)).toBe(allow);
    expect(decide('restricted', 'ioctl', 0, 0x5401)).toBe(allow);
  });

  it('denies every new namespace', () => {
    for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
      expect(decide('enabled', 'clone', flag | 17)).toBe(perm);
      expect(decide('enabled', 'unshare', flag)).toBe(perm);
    }
    expect(decide('enabled', 'unshare', 0x80)).toBe(perm);
  });

  it('denies terminal injection, also with garbage in the unused half', () => {
    for (const request of [0x5412n, 0x541cn, 0x5423n, 0xdeadbeef00005412n])
      expect(decide('enabled', 'ioctl', 0, request)).toBe(perm);
  });

  it('denies snapshots of btrfs, which show what is denied, and no other request of it', () => {
    for (const request of [0x50009401n, 0x50009417n, 0x4020bc10n, 0xdeadbeef50009401n])
      expect(decide('restricted', 'ioctl', 3, request)).toBe(perm);
    // Subvolumes, FICLONE.
    for (const request of [0x5000940e, 0x5000940f, 0x40049409])
      expect(decide('restricted', 'ioctl', 3, request)).toBe(allow);
  });

  it('denies signals to a process group that is shared with the host, and no others', () => {
    const verdicts = (name: SyscallName, ...args: (number | bigint)[]): number[] =>
      [true, false].map((shares) =>
        evaluate(
          buildSeccompProgram({
            architecture,
            network: 'restricted',
            unixSockets: false,
            privateNetwork: true,
            sharesProcessGroup: shares,
            sharesTerminal: shares,
          }),
          {
            nr: syscallNumber(name, architecture) ?? -1,
            arch: auditArchitecture[architecture],
            args: args.map(BigInt),
          },
        ),
      );
    for (const group of [0, 0xdeadbeef00000000n]) expect(verdicts('kill', group, 9)).toEqual([perm, allow]);
    for (const pid of [1, 4711, -1, -4711]) expect(verdicts('kill', pid, 9)).toEqual([allow, allow]);
    // What lets a terminal do it: F_SETFL with O_ASYNC, FIOASYNC. Other flags are fine: O_NONBLOCK, FIONBIO.
    expect(verdicts('fcntl', 0, 4, 0x2002)).toEqual([perm, allow]);
    expect(verdicts('ioctl', 0, 0x5452)).toEqual([perm, allow]);
    expect(verdicts('fcntl', 0, 4, 0x802)).toEqual([allow, allow]);
    expect(verdicts('fcntl', 0, 3, 0x2000)).toEqual([allow, allow]);
    expect(verdicts('fcntl', 0, 1024, 0)).toEqual([perm, perm]);
    expect(verdicts('ioctl', 0, 0x5421)).toEqual([allow, allow]);
  });

  it('denies leases, which let others wait who open the file, and nothing else of fcntl', () => {
    for (const command of [1024n, 1040n, 0xdeadbeef00000400n])
      expect(decide('restricted', 'fcntl', 3, command, 1)).toBe(perm);
    // F_DUPFD, F_SETLK, F_GETLEASE, F_DUPFD_CLOEXEC, F_SETPIPE_SZ, F_ADD_SEALS
    for (const command of [0, 6, 1025, 1030, 1031, 1033])
      expect(decide('restricted', 'fcntl', 3, command, 1)).toBe(allow);
  });

  it.each<[NetworkPolicy, readonly [family: number, type: number, protocol: number], number]>([
    ['restricted', [1, 1, 0], perm],
    ['restricted', [2, 1, 0], perm],
    ['restricted', [10, 2, 0], perm],
    ['restricted', [16, 3, 0], allow],
    ['restricted', [16, 3, 9], perm],
    ['restricted', [40, 1, 0], perm],
    ['loopback', [1, 2, 0], perm],
    ['loopback', [2, 1, 0], allow],
    ['loopback', [10, 2, 0], allow],
    ['loopback', [17, 3, 0], perm],
    ['enabled', [1, 2, 0], allow],
    ['enabled', [2, 1, 0], allow],
    ['enabled', [16, 3, 0], allow],
    ['enabled', [16, 3, 15], perm],
    ['enabled', [40, 1, 0], perm],
    ['enabled', [38, 5, 0], perm],
  ])('%s: socket(%j)', (network, socket, expected) => {
    expect(decide(network, 'socket', ...socket)).toBe(expected);
  });

  it.each<[NetworkPolicy, number, number, number]>([
    ['restricted', 1, 1, allow],
    ['restricted', 1, 5 | 0x80000, allow],
    ['restricted', 1, 1 | 0x800 | 0x80000, allow],
    ['restricted', 1, 2, perm],
    ['restricted', 1, 3, perm],
    ['restricted', 1, 2 | 0x80000, perm],
    ['restricted', 2, 1, perm],
    ['loopback', 1, 2, perm],
    ['enabled', 1, 2, allow],
    ['enabled', 30, 2, perm],
  ])('%s: socketpair(%i, %i)', (network, family, type, expected) => {
    expect(decide(network, 'socketpair', family, type)).toBe(expected);
  });

  it('shows no interface of the host where there is no private network', () => {
    const program = buildSeccompProgram({
      architecture,
      network: 'restricted',
      unixSockets: true,
      privateNetwork: false,
    });
    expect(
      evaluate(program, {
        nr: syscallNumbers.socket[architecture],
        arch: auditArchitecture[architecture],
        args: [16n, 3n, 0n],
      }),
    ).toBe(perm);
  });
});

it('the x32 calls of x64 do not exist', () => {
  const program = buildSeccompProgram({
    architecture: 'x64',
    network: 'enabled',
    unixSockets: true,
    privateNetwork: false,
  });
  expect(evaluate(program, { nr: 0x40000000 + 41, arch: auditArchitecture.x64, args: [1n] })).toBe(nosys);
});
