import { describe, expect, it } from 'vitest';
import { checkConnectOptions } from './connect-option-rules.js';
import { checkRunOptions, checkSpawnOptions } from './spawn-option-rules.js';

describe('options of run', () => {
  it.each([
    [{ timeout: 5 }, 'timeout', 'run has no option timeout; did you mean timeoutMs?'],
    [{ timoutMs: 5 }, 'timoutMs', 'run has no option timoutMs; did you mean timeoutMs?'],
    [{ input: 'x' }, 'input', 'run has no option input; did you mean stdin: { data }?'],
    [{ quux: 1 }, 'quux', 'run has no option quux'],
    [
      { stdin: 'hello' },
      'stdin',
      "run: stdin is 'none', 'pipe' or { data }; did you mean { data: 'hello' }?",
    ],
    [{ timeoutMs: -1 }, 'timeoutMs', 'run: timeoutMs is a time in milliseconds, 0 or more, not -1'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs', 'run: timeoutMs is a time in milliseconds, 0 or more, not NaN'],
    [{ timeoutMs: '5' }, 'timeoutMs', "run: timeoutMs is a time in milliseconds, 0 or more, not '5'"],
    [{ stop: { graceMs: -2 } }, 'graceMs', 'stop: graceMs is a time in milliseconds, 0 or more, not -2'],
    [{ stop: { grace: 2 } }, 'grace', 'stop has no option grace; did you mean graceMs?'],
    [{ cwd: 7 }, 'cwd', 'run: cwd is a string, not 7'],
    [
      { env: { A: 1 } },
      'env',
      'run: env has A: a value is a string, or undefined to take the variable away, not 1',
    ],
    [{ tty: 'yes' }, 'tty', "run: tty is an object, not 'yes'"],
    [{ drain: { until: 'end' } }, 'until', "drain: until is 'exited' or 'closed', not 'end'"],
    [{ signal: 'SIGINT' }, 'signal', "run: signal is an AbortSignal, not 'SIGINT'"],
  ])('%j', (options, argument, message) => {
    expect(() => checkRunOptions(options)).toThrow(
      expect.objectContaining({ code: 'argument.invalid', message, details: { argument } }),
    );
  });

  it('takes everything that there is', () => {
    checkRunOptions({
      id: 'a',
      cwd: '/',
      env: { A: 'b', B: undefined },
      inheritEnv: { inherit: 'core', exclude: ['X*'] },
      arg0: 'x',
      stdin: { data: 'x' },
      tty: { rows: 1, cols: 2 },
      sandbox: {},
      timeoutMs: 0,
      signal: new AbortController().signal,
      stop: { interruptFirst: false, graceMs: 1, confirmMs: 2 },
      drain: { until: 'closed', graceMs: 3 },
      capture: { maxBytes: 0 },
      bufferBytes: 1,
      metadata: {},
      check: true,
      onOutput: () => {},
    });
    checkRunOptions({ timeoutMs: Number.POSITIVE_INFINITY, cwd: undefined });
  });

  it('differ from those of spawn and connect', () => {
    expect(() => checkSpawnOptions({ check: true })).toThrow('spawn has no option check');
    expect(() => checkConnectOptions({ timeoutMs: 3 })).toThrow('did you mean connectTimeoutMs?');
    expect(() => checkConnectOptions({ defaults: { timeout: 3 } })).toThrow('did you mean timeoutMs?');
    expect(() => checkConnectOptions({ reconnect: { maxElapsedMs: -3 } })).toThrow('0 or more, not -3');
    checkConnectOptions({ reconnect: false, heartbeat: { timeoutMs: 5 }, resume: { sessionId: 'x' } });
  });
});
