import { describe, expect, it } from 'vitest';
import { collectVariable, parseDuration } from './run-flags.js';

describe('parseDuration', () => {
  it.each([
    ['90', 90_000],
    ['1.5s', 1500],
    ['.5', 500],
    ['500ms', 500],
    ['10m', 600_000],
    ['2h', 7_200_000],
  ])('%s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '0', '-1', '5x', '1d', 'Infinity', '1e3', '999h', ' 5'])('refuses %j', (text) => {
    expect(() => parseDuration(text)).toThrow('expected a time');
  });
});

describe('collectVariable', () => {
  it('splits at the first equals sign and keeps what came before', () => {
    expect(collectVariable('B=c=d', { A: '1' }, {})).toEqual({ A: '1', B: 'c=d' });
    expect(collectVariable('B=', {}, {})).toEqual({ B: '' });
  });

  it('takes the value from here when only the name is given', () => {
    expect(collectVariable('B', {}, { B: 'here' })).toEqual({ B: 'here' });
    expect(() => collectVariable('B', {}, {})).toThrow('B is not set here');
  });

  it('needs a name', () => {
    expect(() => collectVariable('=x', {}, {})).toThrow('NAME=VALUE');
  });
});
