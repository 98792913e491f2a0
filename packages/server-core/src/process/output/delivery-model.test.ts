// Random lives of one process and its clients: whatever is cut, resumed, dropped or pulled when, a client that reads
// after coming back has every byte once, or knows exactly how many it cannot have.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { RecordingPeer } from '../../../test-support/recording-peer.js';
import { ScriptedProcess } from '../../../test-support/scripted-launcher.js';
import { DEFAULT_PROCESS_LIMITS } from '../process-limits.js';
import { readWindow } from '../read/read-window.js';
import { OutputBudget } from './output-budget.js';
import { OutputDelivery } from './output-delivery.js';

type Step =
  | { readonly do: 'produce'; readonly lines: number; readonly output: number }
  | { readonly do: 'pull'; readonly messages: number }
  | { readonly do: 'cut'; readonly lost: number; readonly late: boolean; readonly maxBytes: number | null }
  | { readonly do: 'exit' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('produce' as const),
      lines: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 500, max: 1500 })),
      output: fc.nat(1),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('pull' as const), messages: fc.nat(6) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('cut' as const),
      lost: fc.nat(4),
      late: fc.boolean(),
      maxBytes: fc.option(fc.nat(3000)),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'exit' as const }) },
);

/** A client that keeps what it received and recovers the way Codex does. */
class ModelClient {
  received: { seq: number; text: string }[] = [];
  omittedBytes = 0;
  /** Everything up to here is received or known to be missing. */
  lastSeq = 0;

  take(lines: readonly string[]): void {
    for (const line of lines) {
      const [kind = '', seq = '', ...text] = line.split(' ');
      expect(Number(seq)).toBe(this.lastSeq + 1);
      this.lastSeq++;
      this.received.push({ seq: this.lastSeq, text: kind === 'output' ? text.join(' ') : '' });
    }
  }

  /** The last events were sent and never arrived. (Not all of them are in `received`: a read tells of an exit otherwise.) */
  lose(count: number): void {
    const lastKept = Math.max(0, this.lastSeq - count);
    // A client does not forget what it knows to be missing.
    if (lastKept < this.#knownFrom) return;
    this.received = this.received.filter(({ seq }) => seq <= lastKept);
    this.lastSeq = lastKept;
  }

  recover(delivery: OutputDelivery, maxBytes: number | null): void {
    const window = readWindow(delivery.log, { afterSeq: this.lastSeq, maxBytes });
    if (window.omitted !== null) {
      expect(window.omitted.fromSeq).toBe(this.lastSeq + 1);
      this.omittedBytes += window.omitted.bytes;
      this.#knownFrom = window.omitted.toSeq;
    }
    for (const { seq, bytes } of window.chunks)
      this.received.push({ seq, text: Buffer.from(bytes).toString() });
    this.lastSeq = window.nextSeq - 1;
    if (window.nextSeq - 1 > (this.received.at(-1)?.seq ?? 0))
      this.received.push({ seq: this.lastSeq, text: '' });
  }

  #knownFrom = 0;
}

describe('OutputDelivery against a client that is cut and comes back', () => {
  it('loses nothing, repeats nothing, and counts what it dropped', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const delivery = new OutputDelivery({
          processId: 'p',
          limits: {
            ...DEFAULT_PROCESS_LIMITS,
            retainedOutputBytesPerProcess: 4000,
            unsentOutputBytesPerProcess: 3000,
          },
          budget: new OutputBudget(1e9),
          clock: new ManualClock(),
          onChange: () => undefined,
          onDelivered: () => undefined,
        });
        const child = new ScriptedProcess(
          { argv: ['x'], cwd: '/', env: {}, io: { type: 'pipe', stdin: 'closed' } },
          1,
        );
        delivery.readFrom(child.outputs, () => delivery.closed());
        const client = new ModelClient();
        let peer = new RecordingPeer();
        delivery.goLive(peer.asPeer);
        let produced = 0;
        let number = 0;
        let wasLate = false;
        for (const action of steps) {
          if (action.do === 'produce') {
            // A stalled child cannot write.
            if (child.outputs[action.output]?.isPaused) continue;
            const text = Array.from({ length: action.lines }, () => `${number++};`).join('');
            produced += text.length;
            child.say(text, action.output);
          } else if (action.do === 'pull') client.take(peer.pull(action.messages));
          else if (action.do === 'exit') {
            if (delivery.log.exited === undefined) delivery.exited({ exitCode: 0, sandboxDenied: false });
          } else {
            delivery.hold();
            if (action.late) delivery.free();
            wasLate ||= action.late;
            const wasEvicted = delivery.log.omittedAfter(client.lastSeq - action.lost);
            if (wasEvicted === null) client.lose(action.lost);
            for (let i = 0; i < 3; i++) {
              if (child.outputs[0]?.isPaused) break;
              const text = `${number++};`.repeat(200);
              produced += text.length;
              child.say(text);
            }
            delivery.hold();
            client.recover(delivery, action.maxBytes);
            peer = new RecordingPeer();
            delivery.goLive(peer.asPeer, client.lastSeq + 1);
          }
        }
        client.take(peer.pull());
        const text = client.received.map((event) => event.text).join('');
        expect(text.length + client.omittedBytes).toBe(produced);
        if (!wasLate) expect(client.omittedBytes).toBe(0);
        const numbers = text.match(/\d+(?=;)/g)?.map(Number) ?? [];
        if (client.omittedBytes === 0)
          expect([...new Set(numbers)]).toEqual(Array.from({ length: number }, (_, i) => i));
      }),
      { numRuns: 500 },
    );
  });
});
