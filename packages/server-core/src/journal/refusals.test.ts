import type { JournalEvent } from '@codex/exec-protocol';
import { expect, it } from 'vitest';
import { ManualClock } from '../../test-support/manual-clock.js';
import { Journal } from './journal.js';
import { Refusals } from './refusals.js';

it('tells the first refusals one by one, and counts a flood', async () => {
  const clock = new ManualClock();
  const journal = new Journal({ maxEvents: 1000, maxBytes: 1_000_000 });
  const told: Extract<JournalEvent, { kind: 'connectionRefused' }>[] = [];
  journal.listen((event) => {
    if (event.kind === 'connectionRefused') told.push(event);
  });
  const refusals = new Refusals(journal, clock);
  for (let index = 0; index < 5000; index++) refusals.add({ reason: `no ${index}`, remoteAddress: 'x' });
  expect(told).toHaveLength(20);
  expect(told.every(({ times }) => times === undefined)).toBe(true);
  await clock.advance(10_000);
  expect(told).toHaveLength(21);
  expect(told[20]).toMatchObject({ times: 4980, reason: 'no 4999' });
  // It is over: the next ones are told again.
  refusals.add({ reason: 'again' });
  expect(told[21]).toMatchObject({ reason: 'again' });
  expect(told[21]?.times).toBeUndefined();
});
