import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallClock } from './call-clock.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('CallClock', () => {
  it('expires once', () => {
    const expired = vi.fn();
    const clock = new CallClock(100);
    clock.whenExpired(expired);
    vi.advanceTimersByTime(99);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1000);
    expect(expired).toHaveBeenCalledTimes(1);
    clock.pause()();
    vi.advanceTimersByTime(1000);
    expect(expired).toHaveBeenCalledTimes(1);
  });

  it('stands during pauses, also overlapping ones, and goes on with what was left', () => {
    const expired = vi.fn();
    const clock = new CallClock(100);
    clock.whenExpired(expired);
    vi.advanceTimersByTime(60);
    const first = clock.pause();
    vi.advanceTimersByTime(1000);
    const second = clock.pause();
    first();
    first();
    vi.advanceTimersByTime(1000);
    expect(expired).not.toHaveBeenCalled();
    second();
    vi.advanceTimersByTime(39);
    expect(expired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(expired).toHaveBeenCalledTimes(1);
  });

  it('tells at once what is told late', () => {
    const clock = new CallClock(100);
    vi.advanceTimersByTime(100);
    const expired = vi.fn();
    clock.whenExpired(expired);
    expect(expired).toHaveBeenCalledTimes(1);
    expect(clock.isExpired).toBe(true);
  });

  it('never expires after it was cancelled, in a pause or not', () => {
    const expired = vi.fn();
    const clock = new CallClock(100);
    clock.whenExpired(expired);
    const resume = clock.pause();
    clock.cancel();
    resume();
    vi.advanceTimersByTime(1000);
    expect(expired).not.toHaveBeenCalled();
  });
});
