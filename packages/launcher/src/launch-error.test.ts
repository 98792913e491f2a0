import { describe, expect, it } from 'vitest';
import { errnoName, errnoOf } from './launch-error.js';
import { shellExitCode, signalName } from './signal-names.js';

describe('errno names', () => {
  it('are those of the system', () => {
    expect([1, 2, 7, 13, 20].map(errnoName)).toEqual(['EPERM', 'ENOENT', 'E2BIG', 'EACCES', 'ENOTDIR']);
    expect(errnoName(9999)).toBe('errno 9999');
  });

  it.runIf(process.platform === 'linux')('choose the usual one of two names', () => {
    expect([11, 95].map(errnoName)).toEqual(['EAGAIN', 'EOPNOTSUPP']);
  });

  it('are taken from the errors of Node', () => {
    expect(errnoOf(Object.assign(new Error('x'), { code: 'EMFILE' }))).toBe('EMFILE');
    expect(errnoOf('odd')).toBe('EIO');
  });
});

describe('signal names', () => {
  it('choose the usual one of two names', () => {
    expect([1, 6, 9, 15].map(signalName)).toEqual(['SIGHUP', 'SIGABRT', 'SIGKILL', 'SIGTERM']);
  });

  it('have a form for real-time signals', () => {
    expect(signalName(40)).toBe('SIGRT40');
  });

  it('has the exit codes of shells, those of real-time signals too', () => {
    expect(shellExitCode({ code: 3, signal: null })).toBe(3);
    expect(shellExitCode({ code: null, signal: 'SIGKILL' })).toBe(137);
    expect(shellExitCode({ code: null, signal: signalName(40) })).toBe(168);
    expect(shellExitCode({ code: null, signal: null })).toBeUndefined();
  });
});
