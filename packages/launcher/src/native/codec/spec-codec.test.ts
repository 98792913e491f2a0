import { describe, expect, it } from 'vitest';
import type { LaunchSpec } from '../../launch-spec.js';
import { encodeSpec } from './spec-codec.js';

const plain: LaunchSpec = {
  argv: ['ls', '-l', 'žluť'],
  cwd: '/tmp',
  env: { A: '1', B: '' },
  io: { type: 'pipe', stdin: 'closed' },
};

/** Reads a record the way native/command/spec.c does, independently of the writer. */
function read(record: Buffer) {
  let at = 0;
  const skip = (length: number): number => {
    at += length;
    return at - length;
  };
  const u32 = () => record.readUInt32LE(skip(4));
  const u64 = () => record.readBigUInt64LE(skip(8));
  const string = () => {
    const end = record.indexOf(0, at);
    const text = record.toString('utf8', at, end);
    at = end + 1;
    return text;
  };
  const bytes = () => {
    const length = u32();
    const start = skip(length);
    return record.subarray(start, start + length);
  };
  const list = <T>(item: () => T): T[] => Array.from({ length: u32() }, item);
  const decoded = {
    magic: u32(),
    length: u32(),
    flags: u32(),
    fds: u32(),
    rows: u32(),
    cols: u32(),
    handledFs: u64(),
    handledNet: u64(),
    scoped: u64(),
    minimumAbi: u32(),
    program: string(),
    cwd: string(),
    argv: list(string),
    env: list(string),
    seccomp: bytes(),
    grants: list(() => ({ source: u32() | 0, target: u32(), data: bytes().toString() })),
    limits: list(() => [u32(), u64(), u64()]),
    paths: list(() => [u64(), string()]),
    ports: list(() => [u64(), u32()]),
    keptMounts: bytes().toString(),
  };
  expect(at).toBe(record.length);
  expect(decoded.length).toBe(record.length - 8);
  return decoded;
}

describe('encodeSpec', () => {
  it('writes a plain launch', () => {
    expect(read(encodeSpec(plain, { count: 1, inherited: [] }))).toMatchObject({
      magic: 0x374c5843,
      flags: 0,
      fds: 1,
      program: 'ls',
      cwd: '/tmp',
      argv: ['ls', '-l', 'žluť'],
      env: ['A=1', 'B='],
      grants: [],
      limits: [],
      paths: [],
      ports: [],
      keptMounts: '',
    });
  });

  it('writes what is to be kept, path by path', () => {
    const keptMounts = ['/ws/.git', '/ws/žluť x'];
    const inheritFds = [{ settled: true, as: 5 }] as const;
    const decoded = read(encodeSpec({ ...plain, keptMounts, inheritFds }, { count: 1, inherited: [] }));
    expect(decoded.keptMounts).toBe('/ws/.git\0/ws/žluť x\0');
    expect(decoded.grants).toEqual([{ source: -7, target: 5, data: '' }]);
  });

  it('keeps the program apart from the name it is given', () => {
    const decoded = read(encodeSpec({ ...plain, arg0: 'other' }, { count: 1, inherited: [] }));
    expect([decoded.program, decoded.argv[0]]).toEqual(['ls', 'other']);
  });

  it('writes terminal size, stdin and restrictions as flags and numbers', () => {
    const restrict = {
      noNewPrivileges: true,
      seccompProgram: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
      rlimits: [{ resource: 'nofile', soft: 5, hard: Number.POSITIVE_INFINITY }],
      landlock: {
        fs: [{ path: '/usr', allow: ['read', 'execute'] }],
        tcp: { bind: [80], connect: [443] },
        scope: { signals: true },
        minimumAbi: 6,
      },
    } as const;
    const decoded = read(
      encodeSpec(
        { ...plain, io: { type: 'pty', rows: 24, cols: 80 }, restrict },
        { count: 2, inherited: [] },
      ),
    );
    expect(decoded).toMatchObject({
      flags: 1 | 4 | 8,
      rows: 24,
      cols: 80,
      handledFs: 0xffffn,
      handledNet: 3n,
      scoped: 2n,
      minimumAbi: 6,
      limits: [[7, 5n, 0xffffffffffffffffn]],
      paths: [[0b1101n, '/usr']],
      ports: [
        [1n, 80 | (80 << 16)],
        [2n, 443 | (443 << 16)],
      ],
    });
    expect([...decoded.seccomp]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const open = { type: 'pipe', stdin: 'open' } as const;
    expect(read(encodeSpec({ ...plain, io: open }, { count: 1, inherited: [] })).flags).toBe(2);
    const wide = encodeSpec({ ...plain, io: open }, { count: 1, inherited: [] }, { hasWidePipes: true });
    expect(read(wide).flags).toBe(2 + 16);
  });

  it('allows the ports around those that are refused', () => {
    const portsOf = (...refusedTcpPorts: number[]) => {
      const restrict = { landlock: { refusedTcpPorts } };
      const { handledNet, ports } = read(encodeSpec({ ...plain, restrict }, { count: 1, inherited: [] }));
      return [handledNet, ports.map(([, port]) => [Number(port) & 0xffff, Number(port) >>> 16])];
    };
    expect(portsOf(4222)).toEqual([
      2n,
      [
        [0, 4221],
        [4223, 65_535],
      ],
    ]);
    expect(portsOf(65_535, 0, 7, 7)).toEqual([
      2n,
      [
        [1, 6],
        [8, 65_534],
      ],
    ]);
  });

  it('numbers open descriptors and carries what the others are made of', () => {
    const inheritFds = [
      { fd: 20, as: 7 },
      { data: Buffer.from('bytes'), as: 8 },
      { fd: 21, as: 9 },
      { path: '/é', as: 10 },
      { report: true, as: 11 },
    ] as const;
    const decoded = read(encodeSpec({ ...plain, inheritFds }, { count: 3, inherited: [4, 5] }));
    expect(decoded.grants).toEqual([
      { source: 4, target: 7, data: '' },
      { source: -1, target: 8, data: 'bytes' },
      { source: 5, target: 9, data: '' },
      { source: -2, target: 10, data: '/é\0' },
      { source: -3, target: 11, data: '' },
    ]);
  });

  it('grows for long arguments', () => {
    const long = '€'.repeat(100_000);
    expect(read(encodeSpec({ ...plain, argv: ['x', long] }, { count: 1, inherited: [] })).argv[1]).toBe(long);
  });
});
