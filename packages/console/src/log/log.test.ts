import { SerializeAddon } from '@xterm/addon-serialize';
import xterm from '@xterm/headless';
import { describe, expect, it } from 'vitest';
import { asciicast, logLines } from './export.js';
import { LineReader } from './lines.js';
import { type LogEntry, LogStore } from './log-store.js';
import { Player, type Screen } from './player.js';
import { screenDiff } from './screen-diff.js';

const encoder = new TextEncoder();
const output = (seq: number, text: string, stream: 'pty' | 'stdout' | 'stderr' = 'pty'): LogEntry => ({
  kind: 'output',
  seq,
  atMs: 1000 + seq,
  stream,
  bytes: encoder.encode(text),
});

describe('a log in the page', () => {
  it('is in order, and ignores what it has', () => {
    const log = new LogStore();
    log.append([output(1, 'a'), output(2, 'b')]);
    log.append([
      output(2, 'b'),
      output(3, 'c'),
      { kind: 'exited', seq: 4, atMs: 1, exitCode: 0, denied: false },
    ]);
    expect([...log.range(0, 99)].map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(log.nextSeq).toBe(5);
    expect(log.indexAfter(2)).toBe(2);
  });
  it('counts what it drops itself, and keeps its numbers', () => {
    // Two entries fit: what each costs beside its bytes counts, too.
    const log = new LogStore(410);
    for (let seq = 1; seq <= 5; seq++) log.append([output(seq, 'xxxx')]);
    expect(log.dropped).toEqual({ kind: 'gap', seq: 1, toSeq: 3, bytes: 12, why: 'page' });
    expect([log.firstIndex, log.endIndex, log.nextSeq]).toEqual([3, 5, 6]);
    expect(log.indexAfter(4)).toBe(4);
  });
  it('knows where its gaps are, also when others have gone from its front', () => {
    const log = new LogStore(650);
    const gap = (seq: number): LogEntry => ({ kind: 'gap', seq, toSeq: seq + 8, bytes: 5, why: 'evicted' });
    log.append([output(1, 'a'), gap(2), output(11, 'b')]);
    expect(log.gaps.map(({ index }) => index)).toEqual([1]);
    log.append([gap(12), output(21, 'c')]);
    expect(log.gaps.map(({ index, gap: { seq } }) => [index, seq])).toEqual([[3, 12]]);
    expect(log.dropped).toMatchObject({ seq: 1, toSeq: 10, bytes: 6 });
  });
});

function headless(): Screen & { text(): string[]; replies: string[] } {
  const terminal = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true, scrollback: 500 });
  const serializer = new SerializeAddon();
  terminal.loadAddon(serializer);
  return {
    replies: [],
    write: (data, done) => terminal.write(data, done),
    reset: () => terminal.reset(),
    resize: (cols, rows) => terminal.resize(cols, rows),
    snapshot: () => serializer.serialize({ scrollback: 0 }),
    text: () => {
      const { active } = terminal.buffer;
      const lines: string[] = [];
      for (let y = 0; y < active.length; y++) lines.push(active.getLine(y)?.translateToString(true) ?? '');
      return lines;
    },
  };
}

/** Colours, cursor jumps, wide characters, a resize, split sequences: what a full-screen program does. */
function program(blocks: number, blockBytes: number): LogEntry[] {
  const entries: LogEntry[] = [];
  for (let seq = 1; seq <= blocks; seq++) {
    let text = '';
    while (text.length < blockBytes)
      text += `\u001b[${30 + (seq % 8)}mline ${seq} 漢字 ${'x'.repeat(seq % 50)}\u001b[0m\r\n\u001b[3;5H*\u001b[24;1H`;
    const bytes = encoder.encode(text);
    // Cut anywhere: also inside of sequences and characters.
    entries.push({
      kind: 'output',
      seq,
      atMs: seq,
      stream: 'pty',
      bytes: bytes.subarray(0, bytes.length - (seq % 7)),
    });
    if (seq % 40 === 0)
      entries.push({ kind: 'resize', seq: seq + 1, atMs: seq, rows: 24 + (seq % 3), cols: 80 - (seq % 9) });
  }
  return entries;
}

async function shownAt(log: LogStore, index: number): Promise<string[]> {
  const screen = headless();
  await new Player(log, screen, { cols: 80, rows: 24 }).show(index);
  return screen.text();
}

describe('time travel', () => {
  it('shows at any moment what a terminal showed then', async () => {
    const log = new LogStore();
    log.append(program(60, 2000));
    const screen = headless();
    const player = new Player(log, screen, { cols: 80, rows: 24 });
    await player.show(log.endIndex);
    for (const index of [50, 3, 30, 31, 30, 61, 1]) {
      await player.show(index);
      expect(screen.text()).toEqual(await shownAt(log, index));
    }
  });
  it('is the same from a keyframe of a long log', async () => {
    const log = new LogStore();
    log.append(program(120, 20_000));
    const screen = headless();
    const player = new Player(log, screen, { cols: 80, rows: 24 });
    await player.show(log.endIndex);
    for (const index of [110, 100, 119, 90]) {
      await player.show(index);
      // Also what has scrolled out of the screen.
      expect(screen.text()).toEqual(await shownAt(log, index));
    }
  });
  it('writes the torn edge where something is missing', async () => {
    const log = new LogStore();
    log.append([
      output(1, 'before'),
      { kind: 'gap', seq: 2, toSeq: 940, bytes: 1_300_000, why: 'evicted' },
      output(941, 'after'),
    ]);
    const lines = await shownAt(log, 3);
    expect(lines.join('\n')).toContain('⌇⌇⌇ 1.3 MB are gone (seq 2 to 940) ⌇⌇⌇\nafter');
  });
  it('ends where it was asked to last', async () => {
    const log = new LogStore();
    log.append(program(40, 2000));
    const player = new Player(log, headless(), { cols: 80, rows: 24 });
    await Promise.all([player.show(40), player.show(5), player.show(17)]);
    expect(player.at).toBe(17);
  });
});

describe('export', () => {
  const entries: LogEntry[] = [
    output(1, 'hé', 'stdout'),
    { kind: 'resize', seq: 2, atMs: 1500, rows: 40, cols: 120 },
    { kind: 'gap', seq: 2, toSeq: 3, bytes: 5, why: 'evicted' },
    output(4, 'a\nb', 'stdout'),
    { kind: 'exited', seq: 5, atMs: 3000, exitCode: 3, denied: false },
  ];
  it('is an asciicast of version 3', () => {
    const lines = [...asciicast(entries, { cols: 80, rows: 24, startedAtMs: 1000, title: 't' })].map((line) =>
      JSON.parse(line),
    );
    expect(lines[0]).toEqual({ version: 3, term: { cols: 80, rows: 24 }, timestamp: 1, title: 't' });
    expect(lines.slice(1)).toEqual([
      [0.001, 'o', 'hé'],
      [0.499, 'r', '120x40'],
      [0, 'm', '5 B are gone (seq 2 to 3)'],
      [0, 'o', 'a\r\nb'],
      [1.5, 'x', '3'],
    ]);
  });
  it('is one line for each event', () => {
    const lines = [...logLines(entries)].map((line) => JSON.parse(line));
    expect(lines).toHaveLength(5);
    expect(lines[0]).toEqual({ kind: 'output', seq: 1, atMs: 1001, stream: 'stdout', chunk: 'aMOp' });
  });
});

describe('lines', () => {
  it('have no sequences, the number of the event they began with, and no lost character', () => {
    const log = new LogStore();
    const reader = new LineReader(log);
    const [a, b] = [
      encoder.encode('one\n\u001b[31mt漢').subarray(0, 11),
      encoder.encode('t漢o\u001b[0m\n10%\r99%\nrest').subarray(2),
    ];
    log.append([
      { kind: 'output', seq: 1, atMs: 1, stream: 'stdout', bytes: a },
      { kind: 'output', seq: 2, atMs: 2, stream: 'stdout', bytes: b },
    ]);
    expect(reader.read().map(({ seq, text }) => [seq, text])).toEqual([
      [1, 'one'],
      [1, 't漢o'],
      [2, '99%'],
    ]);
    expect(reader.open().map(({ text }) => text)).toEqual(['rest']);
    log.append([output(3, '\u202eevil\n', 'stdout')]);
    expect(reader.read().at(-1)?.text).toBe('rest\\u{202e}evil');
  });
  it('have the number and the time of the event they began with, also where the one before them was whole', () => {
    const log = new LogStore();
    log.append([output(1, 'one\n', 'stdout'), output(2, 'two\nth', 'stdout'), output(3, 'ree\n', 'stdout')]);
    const lines = new LineReader(log).read();
    expect(lines.map(({ seq, atMs, text }) => [seq, atMs, text])).toEqual([
      [1, 1001, 'one'],
      [2, 1002, 'two'],
      [2, 1002, 'three'],
    ]);
  });
});

describe('lines of a flood', () => {
  const flood = (seq: number, lines: number): LogEntry =>
    output(seq, Array.from({ length: lines }, (_, at) => `${seq}.${at}\n`).join(''), 'stdout');
  it('are counted where there are more than are held, and begin at the beginning of one', () => {
    const log = new LogStore();
    const reader = new LineReader(log, 10);
    log.append([output(1, 'first\n', 'stdout'), output(2, 'half of', 'stdout')]);
    expect(reader.read().map(({ text }) => text)).toEqual(['first']);
    log.append([output(3, ' one\n'.repeat(40), 'stdout'), output(4, 'a cut', 'stdout')]);
    log.append([output(5, ' line\nwhole\n', 'stdout'), flood(6, 12)]);
    expect(reader.read().map(({ text }) => text)).toEqual(
      Array.from({ length: 10 }, (_, at) => `6.${at + 2}`),
    );
    // 1 + 40 + 2 ended before, and two of the last twelve.
    expect(reader.dropped).toBe(45);
  });
  it('do not show the end of one that was skipped as a line', () => {
    const log = new LogStore();
    const reader = new LineReader(log, 3);
    log.append([output(1, 'a\nb\nc\nd', 'stdout'), output(2, 'ef\n1\n2\n3\n', 'stdout')]);
    expect(reader.read().map(({ text }) => text)).toEqual(['1', '2', '3']);
  });
  it('take no more room than they may, however long they are', () => {
    const log = new LogStore();
    const reader = new LineReader(log);
    for (let seq = 1; seq <= 300; seq++) {
      log.append([output(seq, `${'x'.repeat(59_999)}\n`, 'stdout')]);
      reader.read();
    }
    const held = reader.read();
    // 8 Mi characters are 139 of them.
    expect([held.length, reader.dropped, held.at(-1)?.seq]).toEqual([139, 161, 300]);
    log.append([output(301, 'short\n', 'stdout')]);
    expect(reader.read().at(-1)?.text).toBe('short');
  });
  it('take no longer for a line that is full of carriage returns', () => {
    const log = new LogStore();
    log.append([output(1, `${'\r'.repeat(2_000_000)}x\n\r\r\n`, 'stdout')]);
    expect(new LineReader(log).read().map(({ text }) => text)).toEqual(['x', '']);
  });
});

describe('two screens', () => {
  const shape = (before: string[], after: string[]): string[] =>
    screenDiff(before, after).map(({ kind, text }) => `${kind} ${text}`);
  it('differ by the lines that went and came, not by those that moved', () => {
    expect(shape(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual(['gone a', 'new d']);
    expect(shape(['10 %', 'x'], ['20 %', 'x', ''])).toEqual(['gone 10 %', 'new 20 %']);
    expect(shape(['same'], ['same'])).toEqual([]);
    expect(shape([], ['', 'first'])).toEqual(['new first']);
  });
});
