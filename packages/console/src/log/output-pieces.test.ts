import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputPieces, PIECE_COST, type Piece } from './output-pieces.js';

const SIZE = { cols: 20, rows: 6 };
const encoder = new TextEncoder();
const decoder = new TextDecoder();

function cut(pieces: OutputPieces, ...blocks: (string | Uint8Array)[]): Piece[] {
  return blocks.flatMap((block) => [
    ...pieces.cut(typeof block === 'string' ? encoder.encode(block) : block),
  ]);
}

const textOf = (pieces: readonly Piece[]): string =>
  decoder.decode(Uint8Array.from(pieces.flatMap(({ bytes }) => [...bytes])));

/** What comes out of `text` in one block. */
const drawn = (text: string): string => textOf(cut(new OutputPieces(SIZE), text));

async function screenOf(blocks: readonly Uint8Array[]): Promise<string[]> {
  const terminal = new xterm.Terminal({ ...SIZE, allowProposedApi: true, scrollback: 0, logLevel: 'off' });
  for (const block of blocks) terminal.write(block);
  await new Promise<void>((resolve) => terminal.write('', resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: SIZE.rows }, (_, y) => active.getLine(y)?.translateToString() ?? '');
  return [...lines, `${active.cursorX} ${active.cursorY}`];
}

describe('where something is open', () => {
  it.each([
    ['text', true],
    ['\u001b', false],
    ['\u001b[31', false],
    ['\u001b[31m', true],
    ['\u009b31', false],
    ['\u009b31m', true],
    ['\u001b]0;title', false],
    ['\u001b]0;title\u0007', true],
    ['\u001b]8;;http://x\u001b', false],
    ['\u001b]8;;http://x\u001b\\', true],
    ['\u001b]0;title\u009c', true],
    ['\u001b]0;§', false],
    ['\u001b(B', true],
    ['\u001b(', false],
    ['\u001bP1$r\u0007', false],
    ['\u001bP1$r\u0018', true],
  ])('%j', (text, isBetween) => {
    const pieces = new OutputPieces(SIZE);
    for (const byte of encoder.encode(text)) cut(pieces, Uint8Array.of(byte));
    expect(pieces.isBetween).toBe(isBetween);
  });
  it('also half a character', () => {
    const pieces = new OutputPieces(SIZE);
    cut(pieces, encoder.encode('漢').subarray(0, 2));
    expect(pieces.isBetween).toBe(false);
    expect(textOf(cut(pieces, encoder.encode('漢').subarray(2)))).toBe('漢');
    expect(pieces.isBetween).toBe(true);
  });
});

describe('counts', () => {
  it.each([
    ['scrolls', '\u001b[2147483647S', '\u001b[6S'],
    ['lines', '\u001b[99;7L', '\u001b[6L'],
    ['tabulators', '\u001b[0000000065535I', '\u001b[20I'],
    ['repetitions', 'z\u001b[2147483647b', 'z\u001b[127b'],
    ['a number that a control parts', '\u001b[21\n47\u0000\u007f48S', '\n\u0000\u001b[6S'],
    ['a number that a byte parts which is no character', '\u001b\u0000[9\ufeff9S', '\u001b[6S'],
    ['a number in the one-character form', '\u009b999S', '\u001b[6S'],
    ['a number inside of a string, which it ends', '\u001b]0;t\u001b[999S', '\u001b]0;t\u001b[6S'],
  ])('are bounded by the screen: %s', (_, text, bounded) => expect(drawn(text)).toBe(bounded));
  it('that can have an effect stay, and so does everything else', () => {
    const text =
      'a\u001b[6S\u001b[120b\u001b[999C\u001b[?999S\u001b[999;999H\u001b[38;5;200m\u001b[ 999@\u001b[999 q';
    expect(drawn(text)).toBe(text);
  });
  it('of a sequence without end draw nothing, and what follows does', () => {
    const pieces = new OutputPieces(SIZE);
    const blocks = Array.from({ length: 50 }, () => '1;'.repeat(1000));
    expect(textOf(cut(pieces, 'a\u001b[', ...blocks, 'mb'))).toBe('ab');
    expect(pieces.isBetween).toBe(true);
  });
});

describe('pieces', () => {
  it('are as small as drawing them is slow', () => {
    const pieces = new OutputPieces({ cols: 80, rows: 24 });
    const worst = (text: string): number => Math.max(...cut(pieces, text).map(({ bytes }) => bytes.length));
    expect(worst('x'.repeat(100_000))).toBe(PIECE_COST);
    expect(worst('\u001b[1m'.repeat(20_000))).toBeLessThan(8000);
    expect(worst('z\u001b[65535b'.repeat(2000))).toBeLessThan(100);
    expect(worst('\u001b[65535L'.repeat(2000))).toBeLessThan(100);
    expect(worst('\u001bc'.repeat(2000))).toBeLessThan(20);
  });
  it('are at most one sequence beyond what they may cost', () => {
    const pieces = new OutputPieces({ cols: 80, rows: 24 });
    const costs = cut(pieces, 'a\u001b[20S'.repeat(1000)).map(({ cost }) => cost);
    expect(Math.max(...costs)).toBeLessThan(2 * PIECE_COST);
  });

  const part = fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u001b[',
      '\u009b',
      '\u001b]',
      '\u0090',
      '\u001b\\',
      '\u009c',
      '\u0007',
      '\u0018',
    ),
    fc.constantFrom('\r\n', 'ab', '漢', 'é', '§', '👍', '\u0000', '\u007f', ';', '?', ' ', '#8'),
    fc.integer({ min: 0, max: 9 }).map(String),
    fc.constantFrom('S', 'T', 'L', 'M', 'I', 'Z', 'b', 'm', 'H', 'J', 'K', 'A', '7', '8', 'r'),
    fc
      .tuple(fc.integer({ min: 0, max: 400 }), fc.constantFrom('S', 'T', 'L', 'M', 'I', 'Z', 'm', 'H', 'C'))
      .map(([count, final]) => `\u001b[${count}${final}`),
  );
  const blocks = fc.array(fc.array(part, { maxLength: 12 }), { maxLength: 6 });

  it('show what the whole shows, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(blocks, fc.integer({ min: 1, max: 9 }), async (parts, step) => {
        // Ends whatever is open: what is held back would differ.
        const whole = encoder.encode(`start\r\n${parts.flat().join('')}\u0018end`);
        const pieces = new OutputPieces(SIZE);
        const cutUp: Uint8Array[] = [];
        for (let at = 0; at < whole.length; at += step)
          for (const { bytes } of pieces.cut(whole.subarray(at, at + step))) cutUp.push(bytes.slice());
        expect(await screenOf(cutUp)).toEqual(await screenOf([whole]));
      }),
      { numRuns: 400 },
    );
  });
});
