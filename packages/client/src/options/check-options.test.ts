import { describe, expect, it } from 'vitest';
import { checkFileOptions } from '../fs/file-option-rules.js';
import { checkCallOptions, checkPattern, checkPort } from '../process/process-option-rules.js';
import { checkRunOptions } from '../run/run-option-rules.js';
import { checkConnectOptions } from '../session/connect-option-rules.js';
import { checkAttachOptions, checkSpawnOptions } from './spawn-option-rules.js';

describe('options of run', () => {
  it.each([
    [{ timeout: 5 }, 'timeout', 'run has no option `timeout`; did you mean `timeoutMs`?'],
    [{ timoutMs: 5 }, 'timoutMs', 'run has no option `timoutMs`; did you mean `timeoutMs`?'],
    [{ input: 'x' }, 'input', 'run has no option `input`; did you mean `stdin: { data }`?'],
    [{ quux: 1 }, 'quux', 'run has no option `quux`'],
    [
      { stdin: 'hello' },
      'stdin',
      "run: `stdin` is 'none', 'pipe' or { data }; did you mean { data: 'hello' }?",
    ],
    [{ timeoutMs: -1 }, 'timeoutMs', 'run: `timeoutMs` is a time in milliseconds, 0 or more, not -1'],
    [
      { timeoutMs: Number.NaN },
      'timeoutMs',
      'run: `timeoutMs` is a time in milliseconds, 0 or more, not NaN',
    ],
    [{ timeoutMs: '5' }, 'timeoutMs', "run: `timeoutMs` is a time in milliseconds, 0 or more, not '5'"],
    [{ stop: { graceMs: -2 } }, 'graceMs', 'stop: `graceMs` is a time in milliseconds, 0 or more, not -2'],
    [{ stop: { grace: 2 } }, 'grace', 'stop has no option `grace`; did you mean `graceMs`?'],
    [{ cwd: 7 }, 'cwd', 'run: `cwd` is a string, not 7'],
    [
      { env: { A: 1 } },
      'env',
      'run: `env` has A: a value is a string, or undefined to take the variable away, not 1',
    ],
    [{ tty: 'yes' }, 'tty', "run: `tty` is an object, not 'yes'"],
    [{ drain: { until: 'end' } }, 'until', "drain: `until` is one of exited, closed, not 'end'"],
    [{ signal: 'SIGINT' }, 'signal', "run: `signal` is an AbortSignal, not 'SIGINT'"],
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
    expect(() => checkSpawnOptions({ check: true })).toThrow('spawn has no option `check`');
    expect(() => checkConnectOptions({ timeoutMs: 3 })).toThrow('did you mean `connectTimeoutMs`?');
    expect(() => checkConnectOptions({ defaults: { timeout: 3 } })).toThrow('did you mean `timeoutMs`?');
    expect(() => checkConnectOptions({ reconnect: { maxElapsedMs: -3 } })).toThrow('0 or more, not -3');
    checkConnectOptions({ reconnect: false, heartbeat: { timeoutMs: 5 }, resume: { sessionId: 'x' } });
  });
});

describe('options of a process', () => {
  it.each([
    ['waitFor', { timeout: 5 }, 'waitFor has no option `timeout`; did you mean `timeoutMs`?'],
    ['waitFor', { stream: 'out' }, "waitFor: `stream` is one of stdout, stderr, pty, not 'out'"],
    ['wait', { until: 'end' }, "wait: `until` is one of exited, closed, not 'end'"],
    ['wait', { timeoutMs: -1 }, 'wait: `timeoutMs` is a time in milliseconds, 0 or more, not -1'],
    ['waitForPort', { interval: 5 }, 'waitForPort has no option `interval`; did you mean `intervalMs`?'],
    ['stop', { grace: 5 }, 'stop has no option `grace`; did you mean `graceMs`?'],
    ['stop', { graceMs: '5' }, "stop: `graceMs` is a time in milliseconds, 0 or more, not '5'"],
    ['yieldWindow', {}, 'yieldWindow needs the option `ms`'],
    ['interact', { timeoutMs: 5 }, 'interact has no option `timeoutMs`; did you mean `ms`?'],
    ['resize', { rows: 3, columns: 4 }, 'resize has no option `columns`; did you mean `cols`?'],
    ['lines', { maxLine: 4 }, 'lines has no option `maxLine`; did you mean `maxLineLength`?'],
    ['events', { from: 3 }, "events: `from` is 'start', 'now' or a cursor, not 3"],
    ['stdin.write', { signal: 'x' }, "stdin.write: `signal` is an AbortSignal, not 'x'"],
    ['call', { timeoutMs: 5 }, 'call has no option `timeoutMs`'],
  ] as const)('%s %j', (call, options, message) => {
    expect(() => checkCallOptions(call, options)).toThrow(
      expect.objectContaining({ code: 'argument.invalid', message }),
    );
  });

  it('are those of a stop in spawn and attach as well', () => {
    expect(() => checkAttachOptions({ stop: { grace: 1 } })).toThrow('did you mean `graceMs`?');
    expect(() => checkAttachOptions({ cwd: '/' })).toThrow('attach has no option `cwd`');
  });

  it('come after what is waited for', () => {
    expect(() => checkPattern(5)).toThrow('waitFor: the pattern is a string or a RegExp, not 5');
    for (const port of [0, 65_536, '80', 1.5]) expect(() => checkPort(port)).toThrow('from 1 to 65535');
    checkPort(80);
    checkPattern(/x/);
  });
});

describe('options of files', () => {
  it.each([
    ['write', { recursive: true }, 'fs.write has no option `recursive`; did you mean `parents`?'],
    ['write', { append: 1 }, 'fs.write: `append` is true or false, not 1'],
    ['mkdir', { recusive: true }, 'fs.mkdir has no option `recusive`; did you mean `recursive`?'],
    ['walk', { maxDepth: -1 }, 'fs.walk: `maxDepth` is a number, 0 or more, not -1'],
    ['readStream', { offset: 1 }, 'fs.readStream has no option `offset`; did you mean `start`?'],
    [
      'stat',
      { sandbox: 'read-only' },
      "fs.stat: `sandbox` is a policy, not 'read-only'; readOnly() of @codex/sandbox makes one",
    ],
    ['list', 'utf8', "fs.list takes an object with options, not 'utf8'"],
  ] as const)('%s %j', (call, options, message) => {
    expect(() => checkFileOptions(call, options as object)).toThrow(
      expect.objectContaining({ code: 'argument.invalid', message }),
    );
  });
});
