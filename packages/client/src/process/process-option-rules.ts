// Checks the options of a process' methods at run time.

import {
  abortSignal,
  anything,
  callback,
  count,
  duration,
  type OptionRules,
  oneOf,
  show,
  type ValueRule,
} from '@codex/exec-protocol/options';
import { invalidArgument } from '../exec-server-error.js';
import { checkOptions } from '../options/check-options.js';
import { STOP, stopNames, TERMINAL_SIZE } from '../options/value-rules.js';
import type { LineOptions, ReadOptions } from './output/output-view.js';
import type { OutcomeOptions, TextOptions } from './wait/process-waits.js';
import type { WaitOptions } from './wait/wait-condition.js';
import type { PortOptions } from './wait/wait-for-port.js';
import type { YieldWindow } from './window/yield-window.js';

const pattern: ValueRule = (value) =>
  typeof value === 'string' || value instanceof RegExp
    ? undefined
    : `is a string or a RegExp, not ${show(value)}`;

const place: ValueRule = (value) =>
  typeof value === 'string' ? undefined : `is 'start', 'now' or a cursor, not ${show(value)}`;

const SIGNAL = { signal: abortSignal } as const;
const WAIT = { ...SIGNAL, timeoutMs: duration } as const satisfies Record<keyof WaitOptions, ValueRule>;
const READ = { ...SIGNAL, from: place, onGap: callback } as const satisfies Record<
  keyof ReadOptions,
  ValueRule
>;
const LINES = { ...READ, maxLineLength: count } as const satisfies Record<keyof LineOptions, ValueRule>;
const WINDOW = {
  ...SIGNAL,
  ms: duration,
  until: pattern,
  idleMs: duration,
  drainMs: duration,
  maxBytes: count,
  from: place,
  pause: anything,
} as const satisfies Record<keyof YieldWindow, ValueRule>;

const waitNames = { timeout: 'timeoutMs', ms: 'timeoutMs', abortSignal: 'signal' } as const;
const windowNames = { timeoutMs: 'ms', timeout: 'ms', yieldMs: 'ms', pattern: 'until' } as const;

const RULES = {
  wait: {
    values: { ...WAIT, until: oneOf(['exited', 'closed']) } satisfies Record<keyof OutcomeOptions, ValueRule>,
    otherNames: waitNames,
  },
  waitFor: {
    values: {
      ...WAIT,
      stream: oneOf(['stdout', 'stderr', 'pty']),
      from: place,
    } satisfies Record<keyof TextOptions, ValueRule>,
    otherNames: waitNames,
  },
  waitForPort: {
    values: { ...WAIT, intervalMs: duration } satisfies Record<keyof PortOptions, ValueRule>,
    otherNames: { ...waitNames, interval: 'intervalMs' },
  },
  waitForQuiet: { values: WAIT, otherNames: waitNames },
  communicate: { values: WAIT, otherNames: waitNames },
  yieldWindow: { values: WINDOW, required: ['ms'], otherNames: windowNames },
  interact: { values: WINDOW, required: ['ms'], otherNames: windowNames },
  stop: { values: STOP, otherNames: stopNames },
  resize: {
    values: TERMINAL_SIZE,
    required: ['rows', 'cols'],
    otherNames: { columns: 'cols', width: 'cols', height: 'rows' },
  },
  events: { values: READ },
  text: { values: READ },
  bytes: { values: READ },
  lines: { values: LINES },
  ndjson: { values: { ...LINES, schema: anything } },
  'stdin.write': { values: SIGNAL },
  call: { values: SIGNAL },
} as const satisfies Record<string, Omit<OptionRules, 'of'>>;

export function checkCallOptions(call: keyof typeof RULES, options: object): void {
  checkOptions(options, { of: call, ...RULES[call] });
}

export function checkPattern(value: unknown): void {
  const wrong = pattern(value);
  if (wrong !== undefined) throw invalidArgument('pattern', `waitFor: the pattern ${String(wrong)}`);
}

export function checkDuration(call: 'waitForQuiet', ms: unknown): void {
  const wrong = duration(ms);
  if (wrong !== undefined) throw invalidArgument('ms', `${call}: its first argument ${String(wrong)}`);
}

const HIGHEST_PORT = 65_535;

export function checkPort(port: unknown): void {
  if (Number.isInteger(port) && Number(port) >= 1 && Number(port) <= HIGHEST_PORT) return;
  throw invalidArgument('port', `waitForPort: a port is a whole number from 1 to 65535, not ${show(port)}`);
}
