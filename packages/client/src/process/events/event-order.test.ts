import { encodeBase64, type ProcessReadResult } from '@codex/exec-protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventOrder, type SequencedEvent } from './event-order.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const output = (seq: number) => ({ type: 'output', seq, stream: 'stdout', bytes: bytes(`${seq}`) }) as const;
const exited = (seq: number) => ({ type: 'exited', seq, exitCode: 3, denied: false }) as const;
const closed = (seq: number) => ({ type: 'closed', seq }) as const;

function reply(seqs: readonly number[], rest: Partial<ProcessReadResult>): ProcessReadResult {
  return {
    chunks: seqs.map((seq) => ({ seq, stream: 'stdout', chunk: encodeBase64(bytes(`${seq}`)) })),
    nextSeq: (seqs.at(-1) ?? 0) + 1,
    exited: false,
    exitCode: null,
    closed: false,
    failure: null,
    ...rest,
  };
}

function recorder(afterSeq = 0) {
  const published: string[] = [];
  const order = new EventOrder(afterSeq, (event: SequencedEvent) => {
    if (event.type === 'gap') {
      published.push(`gap ${event.gap.fromSeq}-${event.gap.toSeq} ${event.gap.bytes}`);
    } else published.push(event.type === 'output' ? `${event.seq}` : `${event.type} ${event.seq}`);
  });
  return { published, order };
}

describe('EventOrder', () => {
  it('publishes in order of seq, each once, however they come', () => {
    const shuffled = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8], { minLength: 8 });
    fc.assert(
      fc.property(shuffled, fc.array(fc.integer({ min: 1, max: 8 })), (seqs, again) => {
        const { published, order } = recorder();
        for (const seq of [...seqs, ...again]) {
          order.push(seq === 7 ? exited(7) : seq === 8 ? closed(8) : output(seq));
        }
        expect(published).toEqual(['1', '2', '3', '4', '5', '6', 'exited 7', 'closed 8']);
        expect(order.hasHole).toBe(false);
      }),
      { seed: 7 },
    );
  });

  it('takes a read that overlaps what was pushed', () => {
    const { published, order } = recorder();
    order.push(output(1));
    order.push(output(4));
    order.push(output(6));
    order.read(reply([2, 3, 4, 5], {}));
    expect(published).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  it('finds the exit between chunks and the close at the end', () => {
    const { published, order } = recorder();
    order.read(reply([1, 2, 4], { nextSeq: 6, exited: true, exitCode: 3, closed: true }));
    expect(published).toEqual(['1', '2', 'exited 3', '4', 'closed 5']);
  });

  it('does not take an exit that comes behind a bounded reply', () => {
    const { published, order } = recorder();
    order.read(reply([1, 2], { exited: true, exitCode: 3, closed: true }));
    expect(published).toEqual(['1', '2']);
    order.read(reply([], { nextSeq: 5, exited: true, exitCode: 3, closed: true }));
    expect(published).toEqual(['1', '2', 'exited 3', 'closed 4']);
  });

  it('counts what the server evicted, exactly where it says', () => {
    const { published, order } = recorder();
    const omitted = { fromSeq: 1, toSeq: 5, bytes: 1234 };
    order.read(reply([6, 8], { nextSeq: 10, exited: true, exitCode: 3, closed: true, omitted }));
    expect(published).toEqual(['gap 1-5 1234', '6', 'exited 7', '8', 'closed 9']);
  });

  it('counts what an older server evicted without saying', () => {
    const running = recorder();
    running.order.read(reply([6, 7], {}));
    expect(running.published).toEqual(['gap 1-5 null', '6', '7']);
    const ended = recorder();
    ended.order.read(reply([6, 8], { nextSeq: 10, exited: true, exitCode: 3, closed: true }));
    expect(ended.published).toEqual(['gap 1-5 null', '6', 'exited 7', '8', 'closed 9']);
    const hidden = recorder();
    hidden.order.read(reply([6, 7], { nextSeq: 9, exited: true, exitCode: 3, closed: true }));
    expect(hidden.published).toEqual(['gap 1-4 null', 'exited 5', '6', '7', 'closed 8']);
  });

  it('prefers an evicted event that was pushed before', () => {
    const { published, order } = recorder();
    order.push(output(2));
    order.push(exited(3));
    order.read(reply([4], { nextSeq: 5, exited: true, exitCode: 3 }));
    expect(published).toEqual(['gap 1-1 null', '2', 'exited 3', '4']);
  });

  it('starts behind what another holder has seen', () => {
    const { published, order } = recorder(7);
    order.push(output(7));
    order.push(output(8));
    expect(published).toEqual(['8']);
  });

  it('says when it holds too much behind a hole', () => {
    const { order } = recorder();
    for (let seq = 2; seq < 2000 && !order.overflowing; seq++) order.push(output(seq));
    expect(order.overflowing).toBe(true);
    expect(order.hasHole).toBe(true);
  });
});
