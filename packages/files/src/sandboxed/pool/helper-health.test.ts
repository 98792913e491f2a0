import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { HelperHealth } from './helper-health.js';

function setUp() {
  const clock = new ManualClock();
  const said: string[] = [];
  const health = new HelperHealth({
    clock,
    timeoutMs: 100,
    ping: () => said.push('ping'),
    onSilence: () => said.push('silent'),
  });
  health.becomeReady();
  return { health, clock, said };
}

describe('the health of a helper', () => {
  it('is asked for while there is work, and silence ends it', async () => {
    const { health, clock, said } = setUp();
    health.watch();
    await clock.advance(50);
    expect(said).toEqual(['ping']);
    health.heard();
    await clock.advance(50);
    expect(said).toEqual(['ping', 'ping']);
    await clock.advance(50);
    expect(said).toEqual(['ping', 'ping', 'ping']);
    await clock.advance(50);
    expect(said).toEqual(['ping', 'ping', 'ping', 'silent']);
  });

  it.each([0, 1, 25, 49])(
    'is silent for its whole time after work that began %i ms into a period',
    async (into) => {
      const { health, clock, said } = setUp();
      health.watch();
      health.rest();
      await clock.advance(into);
      health.watch();
      await clock.advance(99);
      expect(said).not.toContain('silent');
      await clock.advance(51);
      expect(said.filter((each) => each === 'silent')).toHaveLength(1);
    },
  );

  it('is silent for its whole time after it was heard for the last time', async () => {
    const { health, clock, said } = setUp();
    health.watch();
    await clock.advance(99);
    health.heard();
    await clock.advance(99);
    expect(said).not.toContain('silent');
    await clock.advance(51);
    expect(said).toContain('silent');
  });

  it('is nobody’s business while there is none: the timer runs out', async () => {
    const { health, clock, said } = setUp();
    health.watch();
    health.rest();
    expect(clock.pending).toBe(1);
    await clock.advance(1000);
    expect([said, clock.pending]).toEqual([[], 0]);
  });

  it('is not held against work that began a moment before the timer of earlier work ran out', async () => {
    const { health, clock, said } = setUp();
    health.watch();
    health.rest();
    await clock.advance(49);
    health.watch();
    await clock.advance(1);
    expect(said).toEqual(['ping']);
    health.heard();
    await clock.advance(50);
    expect(said).toEqual(['ping', 'ping']);
  });

  it('is found out when it ends between two calls', async () => {
    const { health, clock, said } = setUp();
    health.watch();
    health.heard();
    health.rest();
    health.watch();
    await clock.advance(150);
    expect(said).toEqual(['ping', 'ping', 'silent']);
  });

  it('is not asked for after it was given up', async () => {
    const { health, clock, said } = setUp();
    health.watch();
    health.stop();
    expect(clock.pending).toBe(0);
    await clock.advance(1000);
    expect(said).toEqual([]);
  });
});
