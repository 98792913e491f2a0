import { describe, expect, it } from 'vitest';
import { LONGEST_TIMEOUT_MS, readShellArguments } from './shell-arguments.js';

const LIMITS = { defaultTimeoutMs: 10_000, maxTimeoutMs: 60_000 };
const read = (values: Record<string, unknown>, limits = LIMITS) =>
  readShellArguments({ command: 'ls', workdir: '/w', ...values }, limits);

describe('readShellArguments', () => {
  it('has defaults, for what is null, too, and ignores what it does not know', () => {
    const plain = { command: 'ls', workdir: '/w', login: true, timeoutMs: 10_000 };
    expect(read({})).toEqual(plain);
    expect(read({ timeout_ms: null, login: null, unknown: 1 })).toEqual(plain);
    expect(read({ timeout_ms: 5, login: false })).toEqual({ ...plain, login: false, timeoutMs: 5 });
  });

  it.each([
    [{ command: undefined }, 'command'],
    [{ command: 7 }, 'command'],
    [{ command: 'a\0b' }, 'command'],
    [{ command: 'é'.repeat(65_536) }, 'command'],
    [{ workdir: undefined }, 'workdir'],
    [{ workdir: 'relative' }, 'workdir'],
    [{ workdir: '' }, 'workdir'],
    [{ workdir: '/a\0b' }, 'workdir'],
    [{ timeout_ms: -1 }, 'timeout_ms'],
    [{ timeout_ms: 1.5 }, 'timeout_ms'],
    [{ timeout_ms: '10' }, 'timeout_ms'],
    [{ timeout_ms: 60_001 }, 'timeout_ms'],
    [{ login: 'yes' }, 'login'],
  ])('refuses %j, and names what is wrong', (values, name) => {
    expect(read(values)).toMatch(new RegExp(`^${name} must`));
  });

  it('waits as long as a timer can where nothing limits it', () => {
    const limits = { defaultTimeoutMs: 1, maxTimeoutMs: LONGEST_TIMEOUT_MS };
    expect(read({ timeout_ms: 2 ** 53 }, limits)).toMatchObject({ timeoutMs: LONGEST_TIMEOUT_MS });
  });
});
