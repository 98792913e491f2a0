import { Buffer } from 'node:buffer';
import { materializeBinary } from '@codex/exec-protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageSplitter } from './message-splitter.js';

const MAX_BYTES = 3_000_000;

function splitter() {
  const found: string[] = [];
  const messages = new MessageSplitter(MAX_BYTES, {
    line: (line) => found.push(`line ${line.toString('latin1')}`),
    binary: (message) => found.push(`binary ${message.toString('latin1')}`),
    tooLong: (reason) => found.push(reason),
  });
  return { messages, found };
}

const binary = (payload: Uint8Array): Buffer => Buffer.from(materializeBinary(['{"x":"', payload, '"}']));

describe('MessageSplitter', () => {
  it('finds lines and binary messages however the stream is cut, in their order', () => {
    const line = fc.stringMatching(/^[ -~]{1,20}$/).map((text) => ({
      bytes: Buffer.from(`${text}\n`),
      expected: `line ${text}`,
    }));
    const message = fc.uint8Array({ maxLength: 40 }).map((payload) => ({
      bytes: binary(payload),
      expected: `binary ${binary(payload).toString('latin1')}`,
    }));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(line, message), { maxLength: 12 }),
        fc.integer({ min: 1, max: 30 }),
        (sent, step) => {
          const { messages, found } = splitter();
          messages.acceptBinary();
          const stream = Buffer.concat(sent.map(({ bytes }) => bytes));
          for (let at = 0; at < stream.length; at += step) messages.push(stream.subarray(at, at + step));
          expect(found).toEqual(sent.map(({ expected }) => expected));
        },
      ),
    );
  });

  it('takes a binary message for a line until they are accepted', () => {
    const { messages, found } = splitter();
    messages.push(Buffer.concat([binary(Buffer.from('a')), Buffer.from('\nnext\n')]));
    expect(found).toHaveLength(2);
    expect(found[0]?.startsWith('line \u0001')).toBe(true);
    expect(found[1]).toBe('line next');
  });

  it('skips a message that is too long, and goes on behind it', () => {
    const { messages, found } = splitter();
    messages.acceptBinary();
    const long = binary(Buffer.alloc(MAX_BYTES));
    for (let at = 0; at < long.length; at += 65_536) messages.push(long.subarray(at, at + 65_536));
    messages.push(Buffer.from('next\n'));
    expect(found).toEqual(['binary message longer than 3000000 bytes', 'line next']);
  });

  it('keeps a long message whole, and drops one that the end of the input cuts', () => {
    const { messages, found } = splitter();
    messages.acceptBinary();
    const long = binary(Buffer.alloc(2_500_000, 'ab'));
    for (let at = 0; at < long.length; at += 100_000) messages.push(long.subarray(at, at + 100_000));
    expect(found).toEqual([`binary ${long.toString('latin1')}`]);
    messages.push(binary(Buffer.from('cut')).subarray(0, -1));
    messages.end();
    expect(found).toHaveLength(1);
  });
});
