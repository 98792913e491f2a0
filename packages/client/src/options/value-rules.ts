// Rules for values of options that only the client has.

import {
  count,
  duration,
  flag,
  isPlainRecord,
  nested,
  oneOf,
  show,
  type ValueRule,
} from '@codex/exec-protocol/options';
import type { StopPolicy } from '../spawn-options.js';

export const variables: ValueRule = (value) => {
  if (!isPlainRecord(value)) return `is an object of names and values, not ${show(value)}`;
  for (const [name, content] of Object.entries(value)) {
    if (content !== undefined && typeof content !== 'string') {
      return `has ${name}: a value is a string, or undefined to take the variable away, not ${show(content)}`;
    }
  }
  return undefined;
};

const POLICY_MAKERS = new Map<unknown, string>([
  ['read-only', 'readOnly()'],
  ['workspace-write', 'workspaceWrite()'],
  ['full-access', 'fullAccess()'],
  ['danger-full-access', 'fullAccess()'],
]);

export const sandbox: ValueRule = (value) => {
  if (typeof value === 'object') return undefined;
  const maker = POLICY_MAKERS.get(value) ?? 'workspaceWrite()';
  return `is a policy, not ${show(value)}; ${maker} of @codex/sandbox makes one`;
};

export const STOP = {
  interruptFirst: flag,
  graceMs: duration,
  confirmMs: duration,
} as const satisfies Record<keyof StopPolicy, ValueRule>;

/** As other libraries call the steps of a stop. */
export const stopNames = {
  grace: 'graceMs',
  timeout: 'graceMs',
  timeoutMs: 'graceMs',
  forceKillAfterDelay: 'graceMs',
  force: 'interruptFirst: false',
} as const;

export const TERMINAL_SIZE = { rows: count, cols: count } as const;

/** What `spawn` and `attach` have in common: how output is kept, and how the process is stopped. */
export const KEEPING = {
  stop: nested({ of: 'stop', values: STOP, otherNames: stopNames }),
  drain: nested({ of: 'drain', values: { until: oneOf(['exited', 'closed']), graceMs: duration } }),
  capture: nested({ of: 'capture', values: { maxBytes: count } }),
  bufferBytes: count,
} as const satisfies Record<string, ValueRule>;
