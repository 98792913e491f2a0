// Checks the options of `spawn` and `attach` at run time.

import {
  abortSignal,
  anything,
  duration,
  flag,
  nested,
  type OptionRules,
  oneOf,
  show,
  text,
  type ValueRule,
} from '@codex/exec-protocol/options';
import type { SpawnOptions } from '../spawn-options.js';
import { INPUT_FORMS, isInput } from './argument-rules.js';
import { checkOptions } from './check-options.js';
import { KEEPING, sandbox, TERMINAL_SIZE, variables } from './value-rules.js';

const stdin: ValueRule = (value) => {
  if (value === 'none' || value === 'pipe') return undefined;
  if (typeof value === 'string')
    return `is 'none', 'pipe' or { data }; did you mean { data: ${show(value)} }?`;
  if (typeof value !== 'object' || value === null) return `is 'none', 'pipe' or { data }, not ${show(value)}`;
  if ('data' in value) return data(value.data);
  return "is 'none', 'pipe' or { data }; did you mean { data: … }?";
};

const data = (value: unknown): string | undefined =>
  value === undefined || isInput(value)
    ? undefined
    : `has \`data\`: what the command reads ${INPUT_FORMS}, not ${show(value)}`;

const size = nested({ of: 'tty', values: TERMINAL_SIZE });
const inherited = oneOf(['all', 'core', 'none']);
const policy = nested({
  of: 'inheritEnv',
  values: {
    inherit: inherited,
    ignoreDefaultExcludes: flag,
    exclude: anything,
    includeOnly: anything,
    set: variables,
  },
});

export const SPAWN_VALUES: Readonly<Record<keyof SpawnOptions, ValueRule>> = {
  id: text,
  cwd: text,
  env: variables,
  inheritEnv: (value) => (typeof value === 'string' ? inherited(value) : policy(value)),
  arg0: text,
  stdin,
  tty: (value) => (typeof value === 'boolean' ? undefined : size(value)),
  sandbox,
  timeoutMs: duration,
  signal: abortSignal,
  ...KEEPING,
  metadata: anything,
};

/** As execa, child_process, zx and others call them. */
export const SPAWN_NAMES = {
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

const SPAWN_RULES: OptionRules = { of: 'spawn', values: SPAWN_VALUES, otherNames: SPAWN_NAMES };
const ATTACH_RULES: OptionRules = { of: 'attach', values: KEEPING, otherNames: SPAWN_NAMES };

export function checkSpawnOptions(options: object): void {
  checkOptions(options, SPAWN_RULES);
}

export function checkAttachOptions(options: object): void {
  checkOptions(options, ATTACH_RULES);
}
