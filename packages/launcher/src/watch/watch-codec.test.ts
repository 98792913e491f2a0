import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { encodeAdd, encodeRemove, WatchRecordDecoder } from './watch-codec.js';

function record(fields: readonly [number, number, number, number], name = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(20);
  header.writeUInt32LE(fields[0], 0);
  header.writeInt32LE(fields[1], 4);
  header.writeUInt32LE(fields[2], 8);
  header.writeUInt32LE(fields[3], 12);
  header.writeUInt32LE(name.length, 16);
  return Buffer.concat([header, name]);
}

describe('records of the inotify helper', () => {
  it('decode from pieces of any size', () => {
    const stream = Buffer.concat([
      record([1, 7, 0, 3]),
      record([2, 7, 0x40000100, 9], Buffer.from('nam\u00e9')),
      record([2, -1, 0x4000, 0]),
      record([1, -28, 0, 4]),
      record([2, 7, 2, 0], Buffer.from([0xff])),
    ]);
    for (const step of [1, 3, 19, 1000]) {
      const decoder = new WatchRecordDecoder();
      const decoded = [];
      for (let at = 0; at < stream.length; at += step)
        decoded.push(...decoder.push(stream.subarray(at, at + step)));
      expect(decoded).toEqual([
        { type: 'added', request: 3, watch: 7 },
        { type: 'event', watch: 7, mask: 0x40000100, cookie: 9, name: Buffer.from('nam\u00e9') },
        { type: 'event', watch: -1, mask: 0x4000, cookie: 0, name: undefined },
        { type: 'added', request: 4, watch: -28 },
        { type: 'event', watch: 7, mask: 2, cookie: 0, name: Buffer.from([0xff]) },
      ]);
    }
  });

  it('encode commands with the length of the path in bytes', () => {
    expect(encodeAdd(5, Buffer.from('/é'), 0x102).toString('hex')).toBe(
      '010000000500000002010000030000002fc3a9',
    );
    expect(encodeRemove(6).toString('hex')).toBe('02000000060000000000000000000000');
  });
});
