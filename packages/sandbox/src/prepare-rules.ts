// Checks the requests of `prepareSandbox` at run time. What is about the command itself holds for `runSandboxed` as well.
import {
  anything,
  flag,
  isPlainRecord,
  nested,
  type OptionRules,
  oneOf,
  show,
  someOf,
  text,
  texts,
  type ValueRule,
} from '@codex/exec-protocol/options';
import { checkOptions } from './options/check-options.js';
import { variables } from './options/value-rules.js';
import type { PolicyContext } from './policy/policy-model.js';
import type { SandboxRequest, WeakerForm } from './sandbox-request.js';

const FORMS: Readonly<Record<WeakerForm, true>> = {
  'host-proc': true,
  'unprotected-metadata': true,
  'host-signals': true,
  'root-capabilities': true,
  'host-attributes': true,
  'hidden-attributes': true,
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

export const COMMAND_RULES = {
  argv,
  cwd: text,
  env: variables,
  arg0: text,
  // `checkPolicy` looks at it where it is resolved, because there are more ways to that place.
  policy: anything,
  context: nested({ of: 'the context', values: CONTEXT }),
  dieWithParent: flag,
  alwaysDeny: texts,
  ownFolders: texts,
  keepFiles: texts,
  replaceFiles: replacements,
  hardLinks: oneOf(['refuse', 'warn']),
  accept: someOf(Object.keys(FORMS)),
} as const;

const PREPARE = {
  ...COMMAND_RULES,
  terminal: flag,
  ownTerminal: flag,
  outputIsTerminal: flag,
  refusedPorts: portNumbers,
  startsAhead: flag,
  nullDeviceOnly: flag,
} as const satisfies Record<keyof SandboxRequest, ValueRule>;

/** As execa, child_process and others call them. */
export const COMMAND_NAMES = {
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

export const COMMAND_REQUIRED = ['argv', 'cwd', 'policy'] as const;
const PREPARE_RULES: OptionRules = {
  of: 'prepareSandbox',
  values: PREPARE,
  required: [...COMMAND_REQUIRED, 'env'],
  otherNames: { ...COMMAND_NAMES, tty: 'terminal' },
};

export function checkPrepareRequest(request: unknown): void {
  checkOptions(request, PREPARE_RULES);
}
