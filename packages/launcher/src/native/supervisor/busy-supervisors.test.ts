import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setBusy } from './busy-supervisors.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function busyOnes(count: number) {
  const wakes = Array.from({ length: count }, () => 0);
  const ones = wakes.map((_, index) => ({
    wake: () => {
      wakes[index] = (wakes[index] ?? 0) + 1;
    },
  }));
  for (const one of ones) setBusy(one, true);
  const end = (): void => {
    for (const one of ones) setBusy(one, false);
  };
  const total = (): number => wakes.reduce((sum, each) => sum + each, 0);
  return { wakes, total, end };
}

describe('supervisors that have a command', () => {
  it('are woken once a second, few of them together', () => {
    const { wakes, end } = busyOnes(3);
    vi.advanceTimersByTime(999);
    expect(wakes).toEqual([0, 0, 0]);
    vi.advanceTimersByTime(1);
    expect(wakes).toEqual([1, 1, 1]);
    vi.advanceTimersByTime(2000);
    expect(wakes).toEqual([3, 3, 3]);
    end();
  });

  it('are woken a few at a time when there are many, and each as often', () => {
    const { wakes, total, end } = busyOnes(1280);
    let most = 0;
    for (let ms = 0; ms < 4000; ms += 1) {
      const before = total();
      vi.advanceTimersByTime(1);
      most = Math.max(most, total() - before);
    }
    expect(most).toBeLessThanOrEqual(40);
    expect(Math.min(...wakes)).toBeGreaterThanOrEqual(3);
    expect(Math.max(...wakes)).toBeLessThanOrEqual(5);
    end();
  });

  it('are not woken when they have none any more', () => {
    const { total, end } = busyOnes(5);
    end();
    vi.advanceTimersByTime(5000);
    expect(total()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});
