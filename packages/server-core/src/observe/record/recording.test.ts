import { expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import type { LogEntry } from '../../process/output/log/output-log.js';
import { ProcessWatchers } from '../../process/read/process-watchers.js';
import { TerminalSizes } from '../../process/read/terminal-sizes.js';
import type { WatchedProcess } from '../watch/watch.js';
import { Recording } from './recording.js';
import type { RecordingFile } from './recording-file.js';

/** A log that has dropped what is before `firstSeq`, of which every event has four bytes. */
function setUp(maxBytes = 1000) {
  const clock = new ManualClock();
  const entries: LogEntry[] = [];
  const sizes = new TerminalSizes();
  const watchers = new ProcessWatchers();
  const state = { firstSeq: 1, ends: 0 };
  const process = {
    session: 's-1',
    isPast: false,
    sizes,
    watchers,
    output: {
      log: {
        get firstSeq() {
          return state.firstSeq;
        },
        offsetAt: (seq: number) => (seq - 1) * 4,
        glance: (seq: number) => (seq < state.firstSeq ? undefined : entries[seq - 1]),
      },
    },
  } as unknown as WatchedProcess;
  const lines: string[] = [];
  const file = { waitingBytes: 0, write: (text: string) => lines.push(text) } as unknown as RecordingFile;
  const recording = new Recording({
    process,
    file,
    clock,
    startedAtMs: 1000,
    title: 'a command',
    maxBytes,
    onEnd: () => state.ends++,
  });
  const write = (text: string): void => {
    const seq = entries.length + 1;
    const bytes = Buffer.from(text);
    const atMs = 1000 + seq * 100;
    entries.push({ kind: 'output', seq, atMs, stream: 'stdout', streamOffset: (seq - 1) * 4, bytes });
    watchers.changed();
  };
  const close = (): void => {
    entries.push({ kind: 'exited', seq: entries.length + 1, atMs: 3000, exitCode: 7 } as LogEntry);
    entries.push({ kind: 'closed', seq: entries.length + 1, atMs: 3000 });
    watchers.changed();
  };
  return { clock, lines, write, close, state, sizes, recording, watchers, file };
}

const parsed = (lines: readonly string[]): unknown[] => lines.slice(1).map((line) => JSON.parse(line));

it('writes what came, with its times, sizes and end', async () => {
  const { clock, lines, write, close, sizes, state, watchers } = setUp();
  write('one\n');
  sizes.add({ seq: 2, atMs: 1150, rows: 40, cols: 120 });
  write('two\n');
  await clock.advance(100);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ version: 3, title: 'a command', timestamp: 1 });
  expect(parsed(lines)).toEqual([
    [0.1, 'o', 'one\r\n'],
    [0.05, 'r', '120x40'],
    [0.05, 'o', 'two\r\n'],
  ]);
  close();
  await clock.advance(100);
  expect(parsed(lines).at(-1)).toEqual([1.8, 'x', '7']);
  expect([state.ends, watchers.size]).toEqual([1, 0]);
});

it('marks what the log dropped before it was read', async () => {
  const { clock, lines, write, state } = setUp();
  for (const text of ['aaaa', 'bbbb', 'cccc']) write(text);
  state.firstSeq = 3;
  await clock.advance(100);
  expect(parsed(lines)).toEqual([
    [0, 'm', '8 bytes are gone (seq 1 to 2)'],
    [0.3, 'o', 'cccc'],
  ]);
});

it('ends with its share, and says so', async () => {
  const { clock, lines, write, state, watchers } = setUp(10);
  for (const text of ['aaaa', 'bbbb', 'cccc', 'dddd']) write(text);
  await clock.advance(100);
  expect(parsed(lines).at(-1)).toEqual([0, 'm', 'the recording ends here: it has its 10 bytes']);
  expect(parsed(lines)).toHaveLength(3);
  expect([state.ends, watchers.size]).toEqual([1, 0]);
});

it('takes the rest when the server lets go of the process', () => {
  const { lines, write, state, watchers } = setUp();
  write('last');
  watchers.forgotten('sessionEnded');
  expect(parsed(lines)).toEqual([[0.1, 'o', 'last']]);
  expect(state.ends).toBe(1);
});

it('does not read for a disk that does not take it', async () => {
  const { clock, lines, write, file } = setUp();
  file.waitingBytes = 10_000_000;
  write('aaaa');
  await clock.advance(500);
  expect(lines).toHaveLength(1);
  file.waitingBytes = 0;
  file.onDrain();
  await clock.advance(100);
  expect(parsed(lines)).toEqual([[0.1, 'o', 'aaaa']]);
});
