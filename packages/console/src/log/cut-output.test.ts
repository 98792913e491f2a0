// A server sends output in blocks that end anywhere. What is shown of it does not tell where.

import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedClusters } from '../terminal/bounded-clusters.js';
import { asciicast } from './export.js';
import { LineReader } from './lines.js';
import { type LogEntry, LogStore } from './log-store.js';
import { Player } from './player.js';

type Stream = Extract<LogEntry, { kind: 'output' }>['stream'];

const SIZE = { cols: 30, rows: 24 };
const encoder = new TextEncoder();

/** Something of everything that has more than one byte, and of everything that output may ask a terminal for. */
const SAMPLE = [
  'plain\r\nwide 漢字 e\u0301 👩🏽\u200d💻 \u{1f1e9}\u{1f1ea}|\r\n',
  '\u001b[1;38;2;1;2;3mcolour\u001b[0m \u009b4mC1\u009b0m\r\n10 %\r99 %\r\n',
  '\u001b]0;a title 漢\u0007\u001b]52;c;aGFja2Vk\u0007\u001b]8;;http://x/漢\u001b\\link\u001b]8;;\u001b\\ \u009d0;t\u009c.\r\n',
  '\u001b[6n\u001b[c\u001bP$qm\u001b\\\u202egnp.exe\u2066\u0000\u0007\u007f\ufeff.\r\n',
  '\u001b[?1049hother screen\u001b[2J\u001b[3;5Hthere\u001b[?1049l\u001b[2Lback\u001b[1S\u001b(0qqq\u001b(B\r\nend',
].join('');

function logOf(blocks: readonly Uint8Array[], stream: Stream): LogStore {
  const log = new LogStore();
  log.append(blocks.map((bytes, index) => ({ kind: 'output', seq: index + 1, atMs: 1, stream, bytes })));
  return log;
}

async function shown(blocks: readonly Uint8Array[], stream: Stream): Promise<string[]> {
  const terminal = new xterm.Terminal({
    ...SIZE,
    allowProposedApi: true,
    scrollback: 10,
    logLevel: 'off',
  });
  const clusters = boundedClusters();
  terminal.unicode.register(clusters);
  terminal.unicode.activeVersion = clusters.version;
  const log = logOf(blocks, stream);
  await new Player(
    log,
    {
      write: (data, done) => terminal.write(data, done),
      reset: () => terminal.reset(),
      resize: (cols, rows) => terminal.resize(cols, rows),
      snapshot: () => '',
    },
    SIZE,
  ).show(log.endIndex);
  const { active } = terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString() ?? '');
  return [...lines, `${active.cursorX} ${active.cursorY}`];
}

function lines(blocks: readonly Uint8Array[], stream: Stream): string[] {
  const reader = new LineReader(logOf(blocks, stream));
  return [...reader.read(), ...reader.open()].map(({ text }) => text);
}

function cast(blocks: readonly Uint8Array[]): string {
  const header = { ...SIZE, startedAtMs: 0, title: '' };
  const log = logOf(blocks, 'pty');
  return [...asciicast(log.range(0, log.endIndex), header)]
    .slice(1)
    .map((line) => (JSON.parse(line) as [number, string, string])[2])
    .join('');
}

const bytewise = (bytes: Uint8Array): Uint8Array[] =>
  Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));

describe.each(['pty', 'stdout'] as const)('output of %s that is cut at any byte', (stream) => {
  const whole = encoder.encode(SAMPLE);
  const everyCut = [
    bytewise(whole),
    ...Array.from(whole, (_, at) => [whole.subarray(0, at), whole.subarray(at)]),
  ];
  it('is the same screen', async () => {
    const wanted = await shown([whole], stream);
    expect(wanted.join('\n')).toContain('漢字');
    // A pipe only has carriage returns beside that.
    for (const blocks of stream === 'pty' ? everyCut : [bytewise(whole)])
      expect(await shown(blocks, stream)).toEqual(wanted);
  });
  it('is the same lines', () => {
    const wanted = lines([whole], stream);
    expect(wanted).toContain('99 %');
    for (const blocks of everyCut) expect(lines(blocks, stream)).toEqual(wanted);
  });
});

describe('output that is cut at any byte', () => {
  it('is the same recording', () => {
    const whole = encoder.encode(SAMPLE);
    const wanted = cast([whole]);
    expect(wanted).toBe(SAMPLE);
    expect(cast(bytewise(whole))).toBe(wanted);
  });

  const part = fc.oneof(
    fc.constantFrom('\n', '\r\n', '\r', '\u001b', '\u001b[', '\u001b]', '\u0007', '\u001b\\', '\u009b', 'm'),
    fc.constantFrom('ab', '漢', 'é', 'e\u0301', '👍', '\u0000', '\u202e', '\ufeff', ';', '31'),
    fc.constant('x'.repeat(5000)),
  );
  it('is the same lines, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), fc.integer({ min: 1, max: 6000 }), (parts, step) => {
        const whole = encoder.encode(parts.join(''));
        const blocks = Array.from({ length: Math.ceil(whole.length / step) }, (_, at) =>
          whole.subarray(at * step, (at + 1) * step),
        );
        expect(lines(blocks, 'stdout')).toEqual(lines([whole], 'stdout'));
      }),
      { numRuns: 100 },
    );
  });
});
