import type { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { Heartbeat } from './heartbeat.js';
import { decodeQuestion, encodeQuestion } from './question.js';

function setUp() {
  const answers: (number | undefined)[] = [];
  let settle: (isAlive: boolean) => void = () => undefined;
  let probes = 0;
  const heartbeat = new Heartbeat({
    now: () => 0,
    send: (_kind, frame: Buffer) => answers.push(decodeQuestion(frame.subarray(24))?.number),
    malformed: (what) => expect.fail(what),
    meter: undefined,
    relay: {
      probe: () => {
        probes++;
        return new Promise((resolve) => {
          settle = resolve;
        });
      },
    },
  });
  const ask = (number: number, isProbe = true) =>
    void heartbeat.answer(encodeQuestion({ isProbe, number }, 0));
  const answered = async (isAlive: boolean): Promise<void> => {
    settle(isAlive);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { ask, answered, answers, probeCount: () => probes };
}

describe('a relay', () => {
  it('asks its destination once, however often it is asked meanwhile, and answers the last question', async () => {
    const { ask, answered, answers, probeCount } = setUp();
    for (let number = 1; number <= 1000; number++) ask(number);
    expect([probeCount(), answers]).toEqual([1, []]);
    await answered(true);
    expect([probeCount(), answers]).toEqual([1, [1000]]);
    ask(1001);
    await answered(false);
    ask(1002);
    await answered(true);
    expect([probeCount(), answers]).toEqual([3, [1000, 1002]]);
  });

  it('answers for itself where the destination is not meant', () => {
    const { ask, answers, probeCount } = setUp();
    ask(1, false);
    expect([probeCount(), answers]).toEqual([0, [1]]);
  });
});
