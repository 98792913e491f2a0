import { describe, expect, it } from 'vitest';
import { DEFAULT_LOSS_TIMES, LossClock } from './loss-clock.js';

const SETTLED = 60_000;

function clockOf() {
  const clock = new LossClock(DEFAULT_LOSS_TIMES);
  const met = (kind: 'nobody' | 'silent' | 'down', now: number, linkUpMs = SETTLED) =>
    clock.met(kind, { since: now, now, linkUpMs });
  return { clock, met };
}

describe('the loss of a machine', () => {
  it('is not believed at once when the broker knows nobody', () => {
    const { met } = clockOf();
    expect([met('nobody', 0), met('nobody', 4999), met('nobody', 5000)]).toEqual([
      undefined,
      undefined,
      'machineGone',
    ]);
  });

  it('is not believed from a connection that is quite new', () => {
    const { met } = clockOf();
    expect([met('nobody', 0), met('nobody', 9000, 1999), met('nobody', 9100, 2100)]).toEqual([
      undefined,
      undefined,
      'machineGone',
    ]);
  });

  it('is silence for ten seconds, and the broker out of reach for twenty-five', () => {
    const { clock, met } = clockOf();
    expect([met('silent', 0), met('silent', 9999), met('silent', 10_000)]).toEqual([
      undefined,
      undefined,
      'machineSilent',
    ]);
    clock.reset();
    expect([met('down', 20_000), met('down', 44_999), met('down', 45_000)]).toEqual([
      undefined,
      undefined,
      'brokerUnreachable',
    ]);
  });

  it('is not counted anew when the broker finds out too about a machine that is silent', () => {
    const { met } = clockOf();
    expect([met('silent', 0), met('silent', 9000), met('nobody', 9500), met('nobody', 10_000)]).toEqual([
      undefined,
      undefined,
      undefined,
      'machineGone',
    ]);
  });

  it('takes no less than the grace, however long that is', () => {
    const clock = new LossClock({ ...DEFAULT_LOSS_TIMES, graceMs: 60_000 });
    const met = (kind: 'nobody' | 'silent', now: number) =>
      clock.met(kind, { since: now, now, linkUpMs: SETTLED });
    expect([met('silent', 0), met('nobody', 5000), met('nobody', 30_000)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('begins to be counted anew when something else is met, or the machine was there', () => {
    const { clock, met } = clockOf();
    met('nobody', 0);
    met('down', 4000);
    expect(met('nobody', 5000)).toBeUndefined();
    clock.reset();
    expect(met('nobody', 12_000)).toBeUndefined();
  });

  it('is certain after the longest time whatever the answers were', () => {
    const { met } = clockOf();
    const kinds = ['nobody', 'down', 'silent'] as const;
    const reasons = Array.from({ length: 37 }, (_, second) =>
      met(kinds[second % 3] ?? 'down', second * 1000, 500),
    );
    expect(reasons.findIndex((reason) => reason !== undefined)).toBe(35);
  });
});
