import { expect, it } from 'vitest';
import { type Beat, beatOf, encodeBeat } from './beat.js';

const beat: Beat = {
  v: 1,
  environment: 'gpu',
  executor: 'x1',
  boot: 'b',
  startedAt: 1,
  state: 'serving',
  sessions: 0,
  maxSessions: 4,
  channels: 0,
  version: '0.1.0',
  host: 'h',
};

it('is about the machine whose subject it came under, and no other', () => {
  const heard = (told: Partial<Beat>, subject = 'exec.v1.gpu.beat.x1') =>
    beatOf({ subject, data: encodeBeat({ ...beat, ...told }) })?.executor;
  expect(heard({})).toBe('x1');
  expect(heard({ executor: 'x2' })).toBeUndefined();
  expect(heard({ environment: 'cpu' })).toBeUndefined();
  expect(heard({ environment: 'gpu"} 1\nfake{a="' })).toBeUndefined();
  expect(heard({}, 'exec.v1.gpu.beat.x2')).toBeUndefined();
});
