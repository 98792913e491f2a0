// Checks the requests of `prepareSandbox` and `runSandboxed` at run time.
import {
  abortSignal,
  anything,
  callback,
  count,
  duration,
  flag,
  isPlainRecord,
  nested,
  type OptionRules,
  oneOf,
  record,
  show,
  someOf,
  text,
  texts,
  type ValueRule,
} from '@codex/exec-protocol/options';
import type { PolicyContext } from '../policy/policy-model.js';
import type { PrepareOptions } from '../prepare-sandbox.js';
import type { RunSandboxedRequest } from '../run/run-sandboxed.js';
import type { SandboxRequest, WeakerForm } from '../sandbox-request.js';
import { checkOptions } from './check-options.js';
import { variables } from './value-rules.js';

const FORMS: Readonly<Record<WeakerForm, true>> = {
  'host-proc': true,
  'unprotected-metadata': true,
  'host-signals': true,
  'root-capabilities': true,
  'host-attributes': true,
  'host-sockets': true,
};

const CONTEXT = {
  cwd: text,
  workspaceRoots: texts,
  tmpdir: text,
  protectedNames: texts,
} as const satisfies Record<keyof PolicyContext, ValueRule>;

const argv: ValueRule = (value) =>
  typeof value === 'string' ? `is a list of words; did you mean ['sh', '-c', ${show(value)}]?` : texts(value);

const input: ValueRule = (value) =>
  typeof value === 'string' || value instanceof Uint8Array
    ? undefined
    : `is a string or bytes, not ${show(value)}`;

const replacements: ValueRule = (value) => {
  const isPair = (each: unknown): boolean =>
    isPlainRecord(each) && typeof each['path'] === 'string' && typeof each['by'] === 'string';
  return Array.isArray(value) && value.every(isPair)
    ? undefined
    : `is a list of { path, by }, not ${show(value)}`;
};

const LAST_PORT = 65_535;

const portNumbers: ValueRule = (value) => {
  const isPort = (one: unknown): boolean =>
    Number.isInteger(one) && Number(one) >= 0 && Number(one) <= LAST_PORT;
  return Array.isArray(value) && value.every(isPort) ? undefined : `is a list of ports, not ${show(value)}`;
};

const COMMAND = {
  argv,
  cwd: text,
  env: variables,
  arg0: text,
  // `checkPolicy` looks at it where it is resolved, because there are more ways to that place.
  policy: anything,
  context: nested({ of: 'the context', values: CONTEXT }),
  dieWithParent: flag,
  alwaysDeny: texts,
  keepFiles: texts,
  replaceFiles: replacements,
  hardLinks: oneOf(['refuse', 'warn']),
  accept: someOf(Object.keys(FORMS)),
} as const;

const PREPARE = { ...COMMAND, terminal: flag, refusedPorts: portNumbers } as const satisfies Record<
  keyof SandboxRequest,
  ValueRule
>;

const RUN = {
  ...COMMAND,
  input,
  timeoutMs: duration,
  maxOutputBytes: count,
  onOutput: callback,
  signal: abortSignal,
} as const satisfies Record<keyof RunSandboxedRequest, ValueRule>;

/** As execa, child_process and others call them. */
const otherNames = {
  command: 'argv',
  cmd: 'argv',
  args: 'argv',
  timeout: 'timeoutMs',
  timeoutSeconds: 'timeoutMs',
  stdin: 'input',
  environment: 'env',
  workdir: 'cwd',
  workingDirectory: 'cwd',
  maxBuffer: 'maxOutputBytes',
  abortSignal: 'signal',
  sandbox: 'policy',
  permissions: 'policy',
  deny: 'alwaysDeny',
  denied: 'alwaysDeny',
  workspaceRoots: 'context: { workspaceRoots }',
  protectedNames: 'context: { protectedNames }',
  tmpdir: 'context: { tmpdir }',
} as const;

const required = ['argv', 'cwd', 'policy'] as const;
const RUN_RULES: OptionRules = { of: 'runSandboxed', values: RUN, required, otherNames };
const PREPARE_RULES: OptionRules = {
  of: 'prepareSandbox',
  values: PREPARE,
  required: [...required, 'env'],
  otherNames: { ...otherNames, tty: 'terminal' },
};
const PREPARE_OPTIONS = { host: record } as const satisfies Record<keyof PrepareOptions, ValueRule>;

export function checkRunRequest(request: unknown): void {
  checkOptions(request, RUN_RULES);
}

export function checkPrepareRequest(request: unknown, options: unknown): void {
  checkOptions(request, PREPARE_RULES);
  checkOptions(options, { of: 'prepareSandbox', values: PREPARE_OPTIONS, otherNames: {} });
}
