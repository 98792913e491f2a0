import { describe, expect, it } from 'vitest';
import { encodeBrokerConfig } from './broker-config.js';
import { decodeRecord, encodeDecision, encodeEnd } from './link-codec.js';
import { RecordSplitter } from './record-splitter.js';

/** As the broker writes: numbers are 32 bits, big ones 64, strings have their length before them. */
function record(...fields: readonly (number | bigint | string)[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      if (typeof field === 'string')
        return Buffer.concat([record(Buffer.byteLength(field)), Buffer.from(field)]);
      const bytes = Buffer.alloc(typeof field === 'bigint' ? 8 : 4);
      if (typeof field === 'bigint') bytes.writeBigUInt64LE(field);
      else bytes.writeUInt32LE(field);
      return bytes;
    }),
  );
}

const exec = [7, 123, 99n, 1 | 4, './x', '/w', 2, 'x', 'ü'] as const;
const step = [1 | 256 | 512, 5n, 6n, '/w/x'] as const;

describe('records of a broker', () => {
  it('are requests with everything that was opened', () => {
    const decoded = decodeRecord(record(2, ...exec, 1, 'A', 'b', 0, 1, './x', '/w/x', 1, ...step));
    expect(decoded).toEqual({
      type: 'request',
      request: {
        requestId: 7,
        process: { pid: 123, startTime: '99' },
        file: './x',
        argv: ['x', 'ü'],
        workdir: { path: '/w', isOnHost: true },
        environment: new Map([['A', 'b']]),
        isStartUp: true,
        isLossy: false,
        program: {
          state: 'opened',
          files: [
            {
              givenPath: './x',
              realPath: '/w/x',
              steps: [{ kind: 'link', isOnHost: true, isName: true, device: 5n, inode: 6n, path: '/w/x' }],
            },
          ],
        },
      },
    });
  });

  it.each([
    [1, 'missing'],
    [2, 'denied'],
    [3, 'proc'],
    [4, 'depth'],
    [5, 'not-a-file'],
    [6, 'process-gone'],
  ])('say why nothing was opened: %i', (state, reason) => {
    const decoded = decodeRecord(record(2, ...exec, 0, state, 0));
    expect(decoded).toMatchObject({ request: { program: { state: 'unopened', reason } } });
  });

  it('are events', () => {
    expect(decodeRecord(record(3, ...exec))).toMatchObject({
      event: {
        type: 'ran-unasked',
        requestId: 7,
        file: './x',
        argv: ['x', 'ü'],
        workdir: '/w',
        isStartUp: true,
      },
    });
    expect(decodeRecord(record(4, 7, 143, ''))).toEqual({
      type: 'event',
      event: { type: 'exited', requestId: 7, exitCode: 143 },
    });
    expect(decodeRecord(record(4, 7, 126, 'why'))).toMatchObject({ event: { error: 'why' } });
    expect(decodeRecord(record(5, 7))).toMatchObject({ event: { type: 'abandoned', requestId: 7 } });
    expect(decodeRecord(record(6, 2))).toMatchObject({ event: { type: 'refused', reason: 'too-large' } });
    expect(decodeRecord(record(7))).toEqual({ type: 'goodbye' });
  });

  it.each([
    ['nothing', record()],
    ['an unknown type', record(99)],
    ['a cut', record(2, ...exec).subarray(0, 20)],
    ['more than a record', record(5, 7, 7)],
    ['a list that is longer than the record', record(3, 7, 123, 99n, 0, 'x', '/', 4_000_000_000)],
  ])('are refused: %s', (_what, bytes) => {
    expect(() => decodeRecord(bytes)).toThrow(/broker/);
  });
});

describe('orders to a broker', () => {
  it('are decisions', () => {
    const size = (bytes: Buffer) => bytes.readUInt32LE(0) === bytes.length - 4;
    const run = encodeDecision(7, { action: 'run' });
    const deny = encodeDecision(7, { action: 'deny', reason: 'n\0o' });
    const escalate = encodeDecision(7, { action: 'escalate', environment: { A: 'b' } });
    expect([run, deny, escalate, encodeEnd()].every(size)).toBe(true);
    expect(run.subarray(4)).toEqual(record(16, 7, 0));
    expect(deny.subarray(4)).toEqual(Buffer.concat([record(16, 7, 1, 'n\ufffdo'), Buffer.of(0)]));
    expect(escalate.subarray(4)).toEqual(Buffer.concat([record(16, 7, 2, 1, 'A=b'), Buffer.of(0)]));
    const asCalled = encodeDecision(7, { action: 'escalate', environment: {}, isAsCalled: true });
    expect(asCalled.subarray(4)).toEqual(record(16, 7, 3, 0));
  });

  it('have no NUL in a variable', () => {
    expect(() => encodeDecision(7, { action: 'escalate', environment: { A: '\0' } })).toThrow(/NUL/);
  });

  it('leave out names that no file can have', () => {
    const config = { serverPid: 1, shellFd: 2, maxSessions: 3, firstFrameMs: 4, door: 'd', token: 't' };
    const both = encodeBrokerConfig({ ...config, askedPrograms: { names: new Set(['a', 'b\0c']) } });
    expect(both).toEqual(encodeBrokerConfig({ ...config, askedPrograms: { names: new Set(['a']) } }));
    expect(encodeBrokerConfig({ ...config, askedPrograms: 'all' })).not.toEqual(both);
  });
});

describe('a splitter', () => {
  it('gives whole records, however they are cut', () => {
    const bytes = Buffer.concat([record(3), Buffer.from('abc'), record(0), record(1), Buffer.from('z')]);
    for (let size = 1; size <= bytes.length; size++) {
      const splitter = new RecordSplitter();
      const records: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        records.push(...splitter.push(bytes.subarray(at, at + size)).map(String));
      }
      expect(records).toEqual(['abc', '', 'z']);
    }
  });

  it('refuses a record that no broker writes', () => {
    expect(() => new RecordSplitter().push(record(0xffffffff))).toThrow(/4294967295/);
  });
});
