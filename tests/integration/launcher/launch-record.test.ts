// The C parser of launch records against broken and hostile records, under the compiler's sanitizers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeSpec } from '../../../packages/launcher/src/native/codec/spec-codec.js';
import { specOf } from './support/run-command.js';

const native = fileURLToPath(new URL('../../../packages/launcher/native/command', import.meta.url));
const harness = fileURLToPath(new URL('./fixtures/parse-records.c', import.meta.url));
let directory = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'launch-record-'));
  const flags = [
    '-std=c11',
    '-g',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-fsanitize=address,undefined',
    '-fno-sanitize-recover',
  ];
  const built = spawnSync(
    'cc',
    [...flags, '-I', native, '-o', join(directory, 'parse'), harness, join(native, 'spec.c')],
    {
      encoding: 'utf8',
    },
  );
  expect(built.stderr).toBe('');
});
afterAll(() => rmSync(directory, { recursive: true }));

function sample(): Buffer {
  const spec = specOf(['prog', 'one', 'two'], {
    inheritFds: [
      { data: Buffer.from('data'), as: 5 },
      { fd: 0, as: 6 },
      { path: '/usr', as: 7 },
      { report: true, as: 8 },
      { settled: true, as: 9 },
    ],
    keptMounts: ['/a', '/b c'],
    restrict: {
      noNewPrivileges: true,
      seccompProgram: Buffer.alloc(16),
      rlimits: [{ resource: 'core', soft: 0, hard: 0 }],
      landlock: { fs: [{ path: '/usr', allow: ['read'] }], tcp: { bind: [1], connect: [2] } },
    },
  });
  return encodeSpec(spec, { count: 2, inherited: [4] }).subarray(8);
}

function parse(records: readonly Buffer[]): { accepted: number; refused: number } {
  const input = records.flatMap((record) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(record.length);
    return [length, record];
  });
  const result = spawnSync(join(directory, 'parse'), { input: Buffer.concat(input), encoding: 'utf8' });
  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
  const [accepted = 0, refused = 0] = result.stdout.split(' ').map(Number);
  return { accepted, refused };
}

it('accepts a whole record', () => {
  expect(parse([sample()])).toEqual({ accepted: 1, refused: 0 });
});

it('refuses every shortened record and every record with bytes left over', () => {
  const record = sample();
  const shorter = Array.from({ length: record.length }, (_, length) => record.subarray(0, length));
  const longer = [1, 4, 100].map((more) => Buffer.concat([record, Buffer.alloc(more)]));
  expect(parse([...shorter, ...longer])).toEqual({ accepted: 0, refused: shorter.length + longer.length });
});

it('refuses grants that make no sense', () => {
  const grant = (source: number, data: string): Buffer => {
    const record = encodeSpec(specOf(['prog'], { inheritFds: [{ data: Buffer.from(data), as: 5 }] }), {
      count: 1,
      inherited: [],
    }).subarray(8);
    // Behind the seccomp program: the number of grants, then the source. Nothing but limits, rules and mounts, all none, follows.
    record.writeInt32LE(source, record.length - 16 - data.length - 12);
    return record;
  };
  expect(parse([grant(-1, 'any'), grant(-2, '/usr\0'), grant(-3, ''), grant(4, '')])).toEqual({
    accepted: 4,
    refused: 0,
  });
  const broken = [grant(-2, '/usr'), grant(-2, '/a\0b\0'), grant(-2, '\0'), grant(-2, '')];
  const others = [grant(-3, 'x'), grant(-4, ''), grant(4, 'x')];
  expect(parse([...broken, ...others])).toEqual({ accepted: 0, refused: 7 });
});

it('refuses mounts whose last path has no end', () => {
  const record = encodeSpec(specOf(['prog'], { keptMounts: ['/a'] }), { count: 1, inherited: [] }).subarray(
    8,
  );
  const broken = Buffer.from(record);
  broken.write('x', broken.length - 1);
  expect(parse([record, broken])).toEqual({ accepted: 1, refused: 1 });
});

it('survives every single-byte change to an extreme value', () => {
  const record = sample();
  const changed = [...record.keys()].flatMap((at) =>
    [0x00, 0x01, 0x7f, 0x80, 0xff].map((value) => {
      const copy = Buffer.from(record);
      copy[at] = value;
      return copy;
    }),
  );
  const { accepted, refused } = parse(changed);
  expect(accepted + refused).toBe(changed.length);
  expect(refused).toBeGreaterThan(100);
});

it('survives random records', () => {
  let seed = 1234567;
  const random = (): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return seed >>> 16;
  };
  const records = Array.from({ length: 3000 }, () => {
    const record = Buffer.from(sample());
    for (let i = 0; i < 1 + (random() % 12); i += 1) record[random() % record.length] = random() & 0xff;
    return record.subarray(0, random() % 4 === 0 ? random() % record.length : record.length);
  });
  const { accepted, refused } = parse(records);
  expect(accepted + refused).toBe(3000);
});
