import { describe, expect, it } from 'vitest';
import { encodeFrame, type Frame, FrameReader } from './frames.js';
import { HelperProtocolError } from './helper-protocol-error.js';

const bytesOf = (...frames: [unknown, Uint8Array?][]): Buffer =>
  Buffer.concat(frames.flatMap(([header, payload]) => encodeFrame(header, payload)));

function read(blocks: readonly Buffer[]): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => void frames.push(frame));
  for (const block of blocks) reader.push(block);
  return frames;
}

describe('frames', () => {
  const large = Buffer.alloc(20_000, 'payload');
  const stream = bytesOf([{ id: 1, text: 'ä' }], [{ id: 2 }, Buffer.from([0, 255])], [{ id: 3 }, large]);
  const expected = [
    { header: { id: 1, text: 'ä' }, payload: Buffer.alloc(0) },
    { header: { id: 2 }, payload: Buffer.from([0, 255]) },
    { header: { id: 3 }, payload: large },
  ];

  it.each([1, 3, 7, 4096, stream.length])('come back whole from blocks of %i bytes', (size) => {
    const blocks: Buffer[] = [];
    for (let at = 0; at < stream.length; at += size) blocks.push(stream.subarray(at, at + size));
    expect(read(blocks)).toEqual(expected);
  });

  it('are refused when they are none', () => {
    expect(() => read([Buffer.from('node: bad option\nnode: bad option\n')])).toThrow(HelperProtocolError);
    const broken = Buffer.from(stream);
    broken[8] = 0x20;
    expect(() => read([broken])).toThrow(SyntaxError);
  });
});
