import { describe, expect, it } from 'vitest';
import { type Candidate, chooseVictim } from './choose-victim.js';

/** Sixty-four sessions, the first used longest ago. */
function sessions(changes: Record<number, Partial<Candidate>> = {}): Candidate[] {
  return Array.from({ length: 64 }, (_, index) => ({
    usedAs: index,
    hasEnded: false,
    isBusy: false,
    ...changes[index],
  }));
}

const victim = (changes?: Record<number, Partial<Candidate>>) => chooseVictim(sessions(changes), 8)?.usedAs;

describe('the session that makes room', () => {
  it('is one that has exited, though others were used longer ago', () => {
    expect(victim({ 20: { hasEnded: true }, 30: { hasEnded: true } })).toBe(20);
  });

  it('is the one used longest ago where none has exited', () => {
    expect(victim()).toBe(0);
    expect(victim({ 0: { isBusy: true } })).toBe(1);
  });

  it('is none of the last eight, though they have exited', () => {
    expect(victim({ 56: { hasEnded: true }, 63: { hasEnded: true } })).toBe(0);
    expect(victim({ 55: { hasEnded: true } })).toBe(55);
  });

  it('is none at all while one that has exited is still reported', () => {
    expect(victim({ 20: { hasEnded: true, isBusy: true } })).toBeUndefined();
    expect(chooseVictim(sessions().slice(0, 8), 8)).toBeUndefined();
  });
});
