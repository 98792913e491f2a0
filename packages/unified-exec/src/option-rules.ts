// Checks the options of `UnifiedExec` at run time. A misspelt `sandbox` that is ignored would run commands without one.

import { ExecServerError } from '@codex/exec-client';
import {
  callback,
  count,
  duration,
  findWrongOption,
  flag,
  isPlainRecord,
  nested,
  type OptionRules,
  oneOf,
  show,
  text,
  type ValueRule,
} from '@codex/exec-protocol/options';
import type { Limits } from './limits.js';
import type { UnifiedExecOptions } from './options.js';

const LIMITS: Readonly<Record<keyof Limits, ValueRule>> = {
  minYieldMs: duration,
  maxYieldMs: duration,
  minPollMs: duration,
  maxPollMs: duration,
  execYieldMs: duration,
  writeYieldMs: duration,
  maxOutputTokens: count,
  maxProcesses: count,
  protectRecent: count,
  earlyExitMs: duration,
  settleMs: duration,
  drainMs: duration,
  maxDeltas: count,
  maxDeltaBytes: count,
};
const limits = nested({ of: 'profile', values: LIMITS });

const profile: ValueRule = (value) => {
  if (value === 'codex') return undefined;
  return isPlainRecord(value) ? limits(value) : `is 'codex' or limits, not ${show(value)}`;
};

const absolutePath: ValueRule = (value) =>
  typeof value === 'string' && /^(?:\/|[A-Za-z]:[\\/])/.test(value)
    ? undefined
    : `is an absolute path, not ${show(value)}`;

const sandbox: ValueRule = (value) =>
  isPlainRecord(value) ? undefined : `is a policy, such as readOnly() of @codex/sandbox, not ${show(value)}`;

const granular = nested({
  of: 'approvalPolicy',
  values: {
    granular: nested({
      of: 'granular',
      values: { sandboxApproval: flag, rules: flag },
      required: ['sandboxApproval', 'rules'],
    }),
  },
  required: ['granular'],
});

const approvalPolicy: ValueRule = (value) => {
  if (isPlainRecord(value)) return granular(value);
  const isKnown = value === 'never' || value === 'on-request' || value === 'untrusted';
  return isKnown ? undefined : `is 'never', 'on-request', 'untrusted' or { granular }, not ${show(value)}`;
};

const rules: ValueRule = (value) =>
  typeof value === 'function' || (isPlainRecord(value) && typeof value['check'] === 'function')
    ? undefined
    : `is a function or a policy, not ${show(value)}`;

const outputPolicy: ValueRule = (value) => {
  const given = isPlainRecord(value) ? Object.entries(value) : [];
  const [name, amount] = given[0] ?? [];
  const isOne = given.length === 1 && (name === 'tokens' || name === 'bytes');
  return isOne && count(amount) === undefined ? undefined : 'is { tokens } or { bytes }, a number, 0 or more';
};

const variables: ValueRule = (value) => {
  if (!isPlainRecord(value)) return `is an object of names and values, not ${show(value)}`;
  const odd = Object.entries(value).find(([, content]) => typeof content !== 'string');
  return odd === undefined ? undefined : `has ${odd[0]}: a value is a string, not ${show(odd[1])}`;
};

const inherited = oneOf(['all', 'core', 'none']);

const VALUES: Readonly<Record<keyof UnifiedExecOptions, ValueRule>> = {
  profile,
  cwd: absolutePath,
  sandbox,
  approvalPolicy,
  approve: callback,
  rules,
  tokenizer: callback,
  policy: outputPolicy,
  childEnv: variables,
  inheritEnv: (value) => (isPlainRecord(value) ? undefined : inherited(value)),
  allowLogin: flag,
  environmentId: text,
  applyPatchTool: flag,
  timeoutMs: duration,
  onSessionEvicted: callback,
};

const RULES: OptionRules = {
  of: 'UnifiedExec',
  values: VALUES,
  otherNames: {
    env: 'childEnv',
    limits: 'profile',
    sandboxPolicy: 'sandbox',
    approvals: 'approvalPolicy',
    askForApproval: 'approvalPolicy',
    onApproval: 'approve',
    workdir: 'cwd',
    timeout: 'timeoutMs',
    maxOutputTokens: 'profile: { maxOutputTokens }',
    outputPolicy: 'policy',
  },
};

/** Throws `argument.invalid` for the first thing that is wrong. */
export function checkUnifiedExecOptions(options: unknown): void {
  const wrong = findWrongOption(options, RULES);
  if (wrong === undefined) return;
  throw new ExecServerError('argument.invalid', wrong.message, { details: { argument: wrong.option } });
}
