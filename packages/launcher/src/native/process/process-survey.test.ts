import { describe, expect, it } from 'vitest';
import type { ProcessEntry } from '../../process-table.js';
import { ProcessSurvey } from './process-survey.js';

function entry(pid: number, parent: number): ProcessEntry {
  return { pid, parent, group: pid, session: pid, isZombie: false, startTime: '1' };
}

/** Every process takes a tenth of a millisecond to read. */
function setUp(count: number) {
  const counts = { lists: 0, reads: 0 };
  const survey = new ProcessSurvey({
    list: () => {
      counts.lists += 1;
      return Array.from({ length: count }, (_, index) => String(index + 1));
    },
    read: (pid) => {
      counts.reads += 1;
      return entry(Number(pid), Number(pid) - 1);
    },
    now: () => counts.reads / 10,
  });
  return { survey, counts };
}

describe('ProcessSurvey', () => {
  it('reads once for all who ask in one turn', async () => {
    const { survey, counts } = setUp(50);
    const found = await Promise.all(Array.from({ length: 200 }, () => survey.look()));
    expect(counts.lists).toBe(1);
    expect(found.every((snapshot) => snapshot.get(50)?.parent === 49)).toBe(true);
  });

  it('reads again for who asks while a reading is under way, once for all of those', async () => {
    const { survey, counts } = setUp(1000);
    const first = survey.look();
    while (counts.reads === 0) await new Promise((resolve) => setImmediate(resolve));
    const late = [survey.look(), survey.look(), survey.look()];
    await Promise.all([first, ...late]);
    expect(counts.lists).toBe(2);
    expect(await late[0]).toBe(await late[2]);
    expect(await late[0]).not.toBe(await first);
  });

  it('takes no more than a slice of one turn', async () => {
    const { survey, counts } = setUp(1000);
    const perTurn: number[] = [];
    const done = survey.look();
    for (let before = 0; counts.reads < 1000; before = counts.reads) {
      await new Promise((resolve) => setImmediate(resolve));
      perTurn.push(counts.reads - before);
    }
    await done;
    expect(counts.reads).toBe(1000);
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(40);
  });

  it('tells when nothing can be listed, and looks again the next time', async () => {
    let isShort = true;
    const survey = new ProcessSurvey({
      list: () => {
        if (isShort) throw new Error('EMFILE');
        return ['7'];
      },
      read: () => entry(7, 1),
      now: () => 0,
    });
    await expect(survey.look()).rejects.toThrow('EMFILE');
    isShort = false;
    expect((await survey.look()).get(7)?.pid).toBe(7);
  });
});
