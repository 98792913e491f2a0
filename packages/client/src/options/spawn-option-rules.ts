// The options of `run` and `spawn`, as they are checked at run time.

import type { RunOptions } from '../run/run-promise.js';
import { checkOptions, type OptionRules, type ValueRule } from './check-options.js';
import {
  abortSignal,
  anything,
  callback,
  count,
  duration,
  flag,
  nested,
  oneOf,
  show,
  text,
} from './value-rules.js';

const stdin: ValueRule = (value) => {
  if (value === 'none' || value === 'pipe') return undefined;
  if (typeof value === 'string')
    return `is 'none', 'pipe' or { data }; did you mean { data: ${show(value)} }?`;
  if (typeof value !== 'object' || value === null) return `is 'none', 'pipe' or { data }, not ${show(value)}`;
  if ('data' in value) return undefined;
  return "is 'none', 'pipe' or { data }; did you mean { data: … }?";
};

const variables: ValueRule = (value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return `is an object of names and values, not ${show(value)}`;
  }
  for (const [name, content] of Object.entries(value)) {
    if (content !== undefined && typeof content !== 'string') {
      return `has ${name}: a value is a string, or undefined to take the variable away, not ${show(content)}`;
    }
  }
  return undefined;
};

const size = nested('tty', { rows: count, cols: count });
const policy = nested('inheritEnv', {
  inherit: oneOf('all', 'core', 'none'),
  ignoreDefaultExcludes: flag,
  exclude: anything,
  includeOnly: anything,
  set: variables,
});

const SPAWN = {
  id: text,
  cwd: text,
  env: variables,
  inheritEnv: (value) => (typeof value === 'string' ? oneOf('all', 'core', 'none')(value) : policy(value)),
  arg0: text,
  stdin,
  tty: (value) => (typeof value === 'boolean' ? undefined : size(value)),
  sandbox: (value) => (typeof value === 'object' ? undefined : `is a policy, not ${show(value)}`),
  timeoutMs: duration,
  signal: abortSignal,
  stop: nested('stop', { interruptFirst: flag, graceMs: duration, confirmMs: duration }),
  drain: nested('drain', { until: oneOf('exited', 'closed'), graceMs: duration }),
  capture: nested('capture', { maxBytes: count }),
  bufferBytes: count,
  metadata: anything,
} as const satisfies Record<string, ValueRule>;

const RUN = {
  ...SPAWN,
  check: flag,
  onOutput: callback,
} as const satisfies Record<keyof RunOptions, ValueRule>;

/** As execa, child_process, zx and others call them. */
const otherNames = {
  timeout: 'timeoutMs',
  timeoutSeconds: 'timeoutMs',
  input: 'stdin: { data }',
  stdinData: 'stdin: { data }',
  environment: 'env',
  workdir: 'cwd',
  workingDirectory: 'cwd',
  dir: 'cwd',
  pty: 'tty',
  terminal: 'tty',
  abortSignal: 'signal',
  cancelSignal: 'signal',
  maxBuffer: 'capture: { maxBytes }',
  maxBytes: 'capture: { maxBytes }',
  extendEnv: 'inheritEnv',
  argv0: 'arg0',
  reject: 'check',
  nothrow: 'check',
  shell: "a command as { shell: '…' }",
  forceKillAfterDelay: 'stop: { graceMs }',
  killTimeout: 'stop: { graceMs }',
} as const;

const SPAWN_RULES: OptionRules = { call: 'spawn', values: SPAWN, otherNames };
const RUN_RULES: OptionRules = { call: 'run', values: RUN, otherNames };

export function checkSpawnOptions(options: object): void {
  checkOptions(options, SPAWN_RULES);
}

export function checkRunOptions(options: object): void {
  checkOptions(options, RUN_RULES);
}
