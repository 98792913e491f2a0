// Checks the request of `runSandboxed` at run time.
import {
  abortSignal,
  callback,
  count,
  duration,
  type OptionRules,
  show,
  type ValueRule,
} from '@codex/exec-protocol/options';
import { checkOptions } from '../options/check-options.js';
import { COMMAND_NAMES, COMMAND_REQUIRED, COMMAND_RULES } from '../prepare-rules.js';
import type { RunSandboxedRequest } from './run-sandboxed.js';

const input: ValueRule = (value) =>
  typeof value === 'string' || value instanceof Uint8Array
    ? undefined
    : `is a string or bytes, not ${show(value)}`;

const RUN = {
  ...COMMAND_RULES,
  input,
  timeoutMs: duration,
  maxOutputBytes: count,
  onOutput: callback,
  signal: abortSignal,
} as const satisfies Record<keyof RunSandboxedRequest, ValueRule>;

const RUN_RULES: OptionRules = {
  of: 'runSandboxed',
  values: RUN,
  required: COMMAND_REQUIRED,
  otherNames: COMMAND_NAMES,
};

export function checkRunRequest(request: unknown): void {
  checkOptions(request, RUN_RULES);
}
