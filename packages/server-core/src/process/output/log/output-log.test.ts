import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BINARY_OUTPUT_MESSAGE_BYTES, MAX_OUTPUT_MESSAGE_BYTES } from '../output-message-size.js';
import { ENTRY_OVERHEAD_BYTES, type LogEntry, OutputLog, type OutputStream } from './output-log.js';

const text = (value: string) => new TextEncoder().encode(value);
const newLog = () => new OutputLog({ headBytes: 8 });

function entries(log: OutputLog): LogEntry[] {
  const found: LogEntry[] = [];
  for (let seq = log.firstSeq; seq < log.nextSeq; seq++) {
    const entry = log.entry(seq);
    if (entry !== undefined) found.push(entry);
  }
  return found;
}

const describeEntry = (entry: LogEntry) =>
  entry.kind === 'output'
    ? `${entry.seq} ${entry.stream} ${Buffer.from(entry.bytes)}`
    : `${entry.seq} ${entry.kind}`;

describe('OutputLog', () => {
  it('numbers blocks, exited and closed in one sequence from 1', () => {
    const log = newLog();
    log.append('stdout', text('a'));
    log.append('stderr', text('b'));
    log.appendExited({ exitCode: 3, sandboxDenied: false });
    log.append('stdout', text('late'));
    log.appendClosed();
    expect(entries(log).map(describeEntry)).toEqual([
      '1 stdout a',
      '2 stderr b',
      '3 exited',
      '4 stdout late',
      '5 closed',
    ]);
    expect(log.nextSeq).toBe(6);
    expect(log.exited).toMatchObject({ seq: 3, exitCode: 3 });
  });

  it('merges small blocks that nobody has seen, and never one that was seen', () => {
    const log = newLog();
    log.append('pty', text('a'));
    log.append('pty', text('b'));
    expect(log.entry(1)).toMatchObject({ bytes: text('ab') });
    log.append('pty', text('c'));
    log.append('pty', text('d'));
    expect(entries(log).map(describeEntry)).toEqual(['1 pty ab', '2 pty cd']);
  });

  it('does not change a block that was handed out', () => {
    const log = newLog();
    log.append('pty', text('a'));
    log.append('pty', text('b'));
    const seen = log.entry(1);
    for (let i = 0; i < 100; i++) log.append('pty', text('xxxxxxxxxxxxxxxxxxxxxxxx'));
    expect(seen).toMatchObject({ bytes: text('ab') });
  });

  it('cuts large blocks', () => {
    const log = newLog();
    log.append('stdout', new Uint8Array(MAX_OUTPUT_MESSAGE_BYTES * 2 + 10));
    const lengths = entries(log).map((entry) => (entry.kind === 'output' ? entry.bytes.length : 0));
    expect(lengths).toEqual([MAX_OUTPUT_MESSAGE_BYTES, MAX_OUTPUT_MESSAGE_BYTES, 10]);
  });

  it('makes larger blocks where they are wanted, and fills its pages with them', () => {
    const log = newLog();
    log.mostBlockBytes = MAX_BINARY_OUTPUT_MESSAGE_BYTES;
    const append = (kibibytes: number): void => {
      log.append('stdout', new Uint8Array(kibibytes * 1024));
      log.seal();
    };
    for (const kibibytes of [448, 230, 230, 230, 448, 448, 350]) append(kibibytes);
    const lengths = entries(log).map((entry) => (entry.kind === 'output' ? entry.bytes.length / 1024 : 0));
    expect(lengths).toEqual([448, 230, 218, 12, 230, 448, 448, 350]);
  });

  it.each([
    ['text', MAX_OUTPUT_MESSAGE_BYTES, 256],
    ['raw bytes', MAX_BINARY_OUTPUT_MESSAGE_BYTES, 448],
  ])(
    'has pages that hold the messages of clients that take %s, and no longer ones',
    (_form, mostBlockBytes, kibibytes) => {
      const log = newLog();
      log.mostBlockBytes = mostBlockBytes;
      for (let read = 0; read < 40; read++) log.append('stdout', new Uint8Array(65536));
      const newest = log.entry(log.nextSeq - 1);
      expect(newest?.kind === 'output' && newest.bytes.buffer.byteLength).toBe(kibibytes * 1024);
    },
  );

  it('joins reads up to the size of a message', () => {
    const log = newLog();
    for (let read = 0; read < 18; read++) log.append('pty', new Uint8Array(MAX_OUTPUT_MESSAGE_BYTES / 4));
    const lengths = entries(log).map((entry) => (entry.kind === 'output' ? entry.bytes.length : 0));
    // The first page is smaller than a message.
    expect(lengths).toEqual([
      MAX_OUTPUT_MESSAGE_BYTES / 2,
      ...Array.from({ length: 4 }, () => MAX_OUTPUT_MESSAGE_BYTES),
    ]);
  });

  it('takes little memory for little output', () => {
    const log = newLog();
    log.append('stdout', new Uint8Array(65536).subarray(0, 3));
    const entry = log.entry(1);
    expect(entry?.kind === 'output' && entry.bytes.buffer.byteLength).toBeLessThanOrEqual(1024);
  });

  /** Keeps the last megabyte of 64 and returns how many pages that took. */
  function pagesOfAFlow(look: (log: OutputLog, seq: number) => LogEntry | undefined): number {
    const log = newLog();
    const buffers = new Set<ArrayBufferLike>();
    for (let read = 0; read < 1024; read++) {
      log.append('stdout', new Uint8Array(65536));
      const entry = look(log, log.nextSeq - 1);
      if (entry?.kind === 'output') buffers.add(entry.bytes.buffer);
      while (log.retainedCost > 1024 * 1024) log.evictOldest();
    }
    return buffers.size;
  }

  it('fills the memory of dropped output again', () => {
    expect(pagesOfAFlow((log, seq) => log.glance(seq))).toBeLessThan(16);
  });

  it('does not, where somebody may still be reading it', () => {
    expect(pagesOfAFlow((log, seq) => log.entry(seq))).toBeGreaterThan(200);
  });

  it('counts what was dropped for each reader exactly', () => {
    const log = newLog();
    for (const [stream, value] of [
      ['stdout', 'aaa'],
      ['stderr', 'bb'],
      ['stdout', 'cccc'],
      ['stderr', 'd'],
    ] as const) {
      log.append(stream, text(value));
    }
    expect(log.omittedAfter(0)).toBeNull();
    log.evictOldest();
    log.evictOldest();
    expect(log.omittedAfter(0)).toEqual({ fromSeq: 1, toSeq: 2, bytes: 5 });
    expect(log.omittedAfter(1)).toEqual({ fromSeq: 2, toSeq: 2, bytes: 2 });
    expect(log.omittedAfter(2)).toBeNull();
    expect(log.firstSeq).toBe(3);
  });

  it('answers a reader that is further behind than its memory with all that was ever dropped', () => {
    const log = newLog();
    for (let i = 0; i < 40_000; i++) log.append(i % 2 === 0 ? 'stdout' : 'stderr', text('x'));
    for (let i = 0; i < 39_000; i++) log.evictOldest();
    expect(log.omittedAfter(10)).toEqual({ fromSeq: 1, toSeq: 39_000, bytes: 39_000 });
    expect(log.omittedAfter(38_000)).toEqual({ fromSeq: 38_001, toSeq: 39_000, bytes: 1000 });
  });

  it('never drops its newest event', () => {
    const log = newLog();
    log.append('stdout', text('a'));
    expect(log.evictOldest()).toBe(0);
    expect(log.entry(1)).toBeDefined();
  });
});

type Step =
  | { readonly do: 'append'; readonly stream: OutputStream; readonly size: number }
  | { readonly do: 'look'; readonly at: number }
  | { readonly do: 'evict' }
  | { readonly do: 'exit' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      stream: fc.constantFrom<OutputStream>('stdout', 'stderr'),
      size: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 30_000, max: 300_000 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const), at: fc.nat(20) }) },
  { weight: 5, arbitrary: fc.constant({ do: 'evict' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'exit' as const }) },
);

describe('OutputLog against a plain list of bytes', () => {
  it('holds exactly the end of each stream, with contiguous numbers and a true account of the rest', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const log = newLog();
        const model: Record<string, Uint8Array[]> = { stdout: [], stderr: [] };
        let filler = 0;
        let evictedBytes = 0;
        let exited = false;
        const lent: { bytes: Uint8Array; asSeen: Buffer }[] = [];
        for (const action of steps) {
          if (action.do === 'append') {
            const block = new Uint8Array(action.size).fill(filler++ % 251);
            block[0] = 255;
            log.append(action.stream, block);
            model[action.stream]?.push(block);
          } else if (action.do === 'look') {
            const seen = log.entry(log.firstSeq + action.at);
            if (seen?.kind === 'output') lent.push({ bytes: seen.bytes, asSeen: Buffer.from(seen.bytes) });
          } else if (action.do === 'evict')
            evictedBytes += Math.max(0, log.evictOldest() - ENTRY_OVERHEAD_BYTES);
          else if (!exited) {
            exited = true;
            log.appendExited({ exitCode: 0, sandboxDenied: false });
          }
        }
        for (const { bytes, asSeen } of lent) expect(asSeen.equals(bytes)).toBe(true);
        const cost = log.retainedCost;
        const all = entries(log);
        expect(all.map((entry) => entry.seq)).toEqual(all.map((_, index) => log.firstSeq + index));
        expect(log.firstSeq + all.length).toBe(log.nextSeq);
        const blocks = all.filter((entry) => entry.kind === 'output');
        expect(cost).toBe(
          blocks.reduce((sum, { bytes }) => sum + bytes.length, 0) + all.length * ENTRY_OVERHEAD_BYTES,
        );
        for (const stream of ['stdout', 'stderr'] as const) {
          const own = blocks.filter((block) => block.stream === stream);
          const kept = Buffer.concat(own.map(({ bytes }) => bytes));
          const whole = Buffer.concat(model[stream] ?? []);
          expect(log.streamBytes(stream)).toBe(whole.length);
          expect(kept.equals(whole.subarray(whole.length - kept.length))).toBe(true);
          expect(own[0]?.streamOffset ?? whole.length - kept.length).toBe(whole.length - kept.length);
          const head = log.heads.head(stream);
          expect(Buffer.from(head).equals(whole.subarray(0, Math.min(8, whole.length - kept.length)))).toBe(
            true,
          );
        }
        expect(log.omittedAfter(0)?.bytes ?? 0).toBe(evictedBytes);
        expect(log.omittedAfter(0)?.toSeq ?? 0).toBe(log.firstSeq - 1);
      }),
      { numRuns: 25 },
    );
  });
});
