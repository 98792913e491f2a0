import { describe, expect, it } from 'vitest';
import { gaveUpPrivilegesOnly, isMoreConfined, parseProcessStatus } from './process-confinement.js';

const status = (fields: Record<string, string>) =>
  parseProcessStatus(
    Object.entries({
      Name: 'x',
      PPid: '70',
      Uid: '1000\t1000\t1000\t1000',
      NSpid: '77',
      NoNewPrivs: '0',
      Seccomp: '0',
      Seccomp_filters: '0',
      ...fields,
    })
      .map(([name, value]) => `${name}:\t${value}\n`)
      .join(''),
  );

describe('process confinement', () => {
  const own = status({});

  it('reads what /proc says', () => {
    expect(status({ NSpid: '77\t3', NoNewPrivs: '1', Seccomp: '2', Seccomp_filters: '4' })).toEqual({
      parentPid: 70,
      uids: [1000, 1000, 1000, 1000],
      pidNamespaceDepth: 2,
      noNewPrivileges: true,
      seccompFilters: 4,
    });
    expect(parseProcessStatus('')).toBeUndefined();
    expect(parseProcessStatus('Uid:\t1000\t0\t1000\t1000\n')?.uids).toEqual([1000, 0, 1000, 1000]);
  });

  it.each([
    ['another pid namespace', { NSpid: '77\t3' }],
    ['no new privileges', { NoNewPrivs: '1' }],
    ['a seccomp filter', { Seccomp: '2', Seccomp_filters: '1' }],
  ])('sees a sandbox in %s', (_name, fields) => {
    const process = status(fields);
    if (process === undefined || own === undefined) throw new Error('unreadable');
    expect(isMoreConfined(process, own)).toBe(true);
    expect(isMoreConfined(process, process)).toBe(false);
    expect(isMoreConfined(own, own)).toBe(false);
    expect(gaveUpPrivilegesOnly(process, own)).toBe('NoNewPrivs' in fields);
  });
});
