import type { ParamsOf } from '@codex/exec-protocol';
import { LaunchError } from '@codex/launcher';
import { describe, expect, it } from 'vitest';
import { startError } from './start-error.js';
import { launchSpecOf, normaliseStart } from './start-request.js';

const allowed = { limits: { allowDirectExec: true, allowPreparedExec: true }, serverEnv: { HOME: '/h' } };
const flat = { processId: 'p', argv: ['a'], cwd: 'file:///tmp/x%20y', env: { A: '1' }, tty: false };
const normalise = (more: object = {}) => normaliseStart({ ...flat, ...more }, allowed);

describe('normaliseStart', () => {
  it('turns every form into one', () => {
    expect(launchSpecOf(normalise())).toEqual({
      argv: ['a'],
      cwd: '/tmp/x y',
      env: { A: '1' },
      io: { type: 'pipe', stdin: 'closed' },
    });
    expect(normalise({ pipeStdin: true }).io).toEqual({ type: 'pipe', stdin: 'open' });
    expect(normalise({ tty: true, pipeStdin: true }).io).toEqual({ type: 'pty', rows: 24, cols: 80 });
    expect(normalise({ tty: true, rows: 1, cols: 2 }).io).toEqual({ type: 'pty', rows: 1, cols: 2 });
    expect(normalise({ kind: 'direct', tty: undefined, io: { type: 'pty', rows: 3, cols: 4 } }).io).toEqual({
      type: 'pty',
      rows: 3,
      cols: 4,
    });
    expect(launchSpecOf(normalise({ arg0: 'zero' })).arg0).toBe('zero');
    expect(normalise({ arg0: null })).not.toHaveProperty('arg0');
    const request = { argv: ['b'], cwd: '/', env: {}, sandboxType: 'linuxSeccomp' };
    const prepared = {
      kind: 'prepared',
      processId: 'q',
      request,
      io: { type: 'pipe', stdin: 'open' },
    } as const;
    expect(normaliseStart(prepared as ParamsOf<'process/start'>, allowed)).toMatchObject({
      processId: 'q',
      argv: ['b'],
      cwd: '/',
      preparedSandbox: 'linuxSeccomp',
    });
  });

  it('refuses more variables than a command may have, in the text of the kernel', () => {
    const env = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`V${i}`, '1']));
    expect(Object.keys(normalise({ env: env(8192) }).env).length).toBe(8192);
    expect(() => normalise({ env: env(8193) })).toThrow('Argument list too long (os error 7)');
    const envPolicy = { inherit: 'none', ignoreDefaultExcludes: true, exclude: [], includeOnly: [] } as const;
    expect(() => normalise({ env: env(4097), envPolicy: { ...envPolicy, set: env(4096) } })).toThrow(
      'Argument list too long (os error 7)',
    );
  });

  it('keeps how the directory was written', () => {
    expect(normalise()).toMatchObject({ cwd: '/tmp/x y', cwdText: 'file:///tmp/x%20y' });
    expect(normalise({ cwd: '/tmp/../etc' })).toMatchObject({ cwd: '/etc', cwdText: '/tmp/../etc' });
  });

  it('refuses what it is told not to take', () => {
    const limits = { allowDirectExec: false, allowPreparedExec: false };
    const context = { ...allowed, limits };
    expect(() => normaliseStart(flat, context)).toThrow(
      'direct execution is not allowed on this exec-server',
    );
    const prepared = {
      kind: 'prepared',
      processId: 'q',
      request: { argv: ['b'], cwd: '/', env: {} },
      io: { type: 'pipe', stdin: 'open' },
    } as const;
    expect(() => normaliseStart(prepared, context)).toThrow(
      'prepared execution is not allowed on this exec-server',
    );
  });

  it.each([[{ enforceManagedNetwork: true }], [{ managedNetwork: {} }], [{ networkProxy: {} }]])(
    'refuses a network restriction that it cannot keep: %o',
    (more) => {
      expect(() => normalise(more)).toThrow('sandbox intent cannot be enforced on this executor');
    },
  );

  it('accepts network members that ask for nothing', () => {
    expect(normalise({ enforceManagedNetwork: false, managedNetwork: null })).toBeDefined();
  });
});

describe('startError', () => {
  const request = normalise();
  const launchError = (stage: LaunchError['stage'], errno: string) =>
    new LaunchError({ stage, errno, message: 'said so' });

  it.each([
    ['exec', 'ENOENT', 'No such file or directory (os error 2)', { program: 'a' }],
    ['cwd', 'ENOTDIR', 'Not a directory (os error 20)', { cwd: '/tmp/x y' }],
    ['exec', 'E2BIG', 'Argument list too long (os error 7)', undefined],
    ['fork', 'EAGAIN', 'Resource temporarily unavailable (os error 11): said so', undefined],
    ['pty', 'EWEIRD', 'said so', undefined],
  ] as const)('names %s %s in the words clients know', (stage, errno, message, data) => {
    const error = startError(launchError(stage, errno), request);
    expect(error).toMatchObject({ code: -32603, message });
    expect(error.data).toEqual(data);
  });

  it('does not blame the client for what it cannot name', () => {
    expect(startError(new TypeError('oops'), request)).toMatchObject({ code: -32603 });
  });
});
