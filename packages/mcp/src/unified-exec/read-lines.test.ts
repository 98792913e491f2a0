import { describe, expect, it } from 'vitest';
import { readLines } from './read-lines.js';

async function read(text: string | Buffer, first: number, limit: number, blockSize = 3) {
  const bytes = Buffer.from(text);
  const asked = { blocks: 0 };
  async function* blocks() {
    for (let at = 0; at < bytes.length; at += blockSize) {
      asked.blocks++;
      yield bytes.subarray(at, at + blockSize);
    }
  }
  return { ...(await readLines(blocks(), { first, limit })), ...asked };
}

describe('readLines', () => {
  const TEXT = 'one\ntwö\r\nthree\n\nfive';
  it.each([
    [1, 99, { content: TEXT, lines: 5, truncated: false }],
    [1, 1, { content: 'one\n', lines: 1, truncated: true }],
    [2, 2, { content: 'twö\r\nthree\n', lines: 2, truncated: true }],
    [4, 1, { content: '\n', lines: 1, truncated: true }],
    [5, 1, { content: 'five', lines: 1, truncated: false }],
    [6, 1, { content: '', lines: 0, truncated: false }],
  ])('from %i, %i lines', async (first, limit, expected) => {
    for (const size of [1, 2, 3, 5, 100]) {
      expect(await read(TEXT, first, limit, size)).toMatchObject(expected);
    }
  });

  it('reads no more of the file than it shows', async () => {
    expect((await read('x\n'.repeat(1000), 2, 2, 2)).blocks).toBeLessThan(6);
  });

  it('cuts what is too long at a whole character', async () => {
    const { content, truncated } = await read('ä'.repeat(200_000), 1, 10, 65_535);
    expect(content).toBe('ä'.repeat(128 * 1024));
    expect(truncated).toBe(true);
  });

  it('refuses what is no text, and says what to do', async () => {
    await expect(read(Buffer.from([0xff, 0xfe]), 1, 1)).rejects.toMatchObject({
      code: 'output.invalid',
      hint: expect.stringContaining('exec_command'),
    });
  });

  it('takes an empty file', async () => {
    expect(await read('', 1, 1)).toMatchObject({ content: '', lines: 0, truncated: false });
  });
});
