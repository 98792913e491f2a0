// Checks the shape of a policy that a caller put together by hand.
import {
  count,
  findWrongOption,
  isPlainRecord,
  type OptionRules,
  oneOf,
  show,
  text,
  type ValueRule,
} from '@codex/exec-protocol/options';
import { SandboxError } from '../../errors.js';
import { checkOptions } from '../../options/check-options.js';
import { network, unixSockets } from '../../options/value-rules.js';
import type { PolicyEntry, PolicyPath, SandboxPolicy } from '../policy-model.js';

const PATHS: Readonly<Record<PolicyPath['type'], Readonly<Record<string, ValueRule>>>> = {
  path: { path: text },
  glob: { pattern: text },
  root: {},
  minimal: {},
  workspaceRoots: { subpath: text },
  tmpdir: {},
  slashTmp: {},
};

const path: ValueRule = (value) => {
  if (typeof value === 'string') return `is an object; did you mean { type: 'path', path: ${show(value)} }?`;
  if (!isPlainRecord(value)) return `is an object, not ${show(value)}`;
  const type = value['type'];
  const members = typeof type === 'string' && Object.hasOwn(PATHS, type) ? membersOf(type) : undefined;
  if (members === undefined) return `has a \`type\` of ${Object.keys(PATHS).join(', ')}, not ${show(type)}`;
  const required = Object.keys(members).filter((name) => name !== 'subpath');
  return wrongPart(value, { of: 'the path', values: { ...members, type: text }, required });
};

const ENTRY = {
  path,
  access: oneOf(['read', 'write', 'deny']),
  whenMissing: oneOf(['cover', 'remove']),
} as const satisfies Record<keyof PolicyEntry, ValueRule>;

const entries = (value: unknown): string | undefined => {
  if (!Array.isArray(value)) return `is a list of entries, not ${show(value)}`;
  for (const [index, entry] of value.entries()) {
    const required = ['path', 'access'];
    const wrong = wrongPart(entry, { of: `entry ${index}`, values: ENTRY, required });
    if (wrong !== undefined) return wrong;
  }
  return undefined;
};

const fileSystem: ValueRule = (value) => {
  if (!isPlainRecord(value)) return `is an object, not ${show(value)}`;
  const restricted = value['type'] === 'restricted';
  const values = {
    type: oneOf(['restricted', 'unrestricted', 'external']),
    ...(restricted ? { entries, globScanMaxDepth: count } : {}),
  };
  const required = ['type', ...(restricted ? ['entries'] : [])];
  return wrongPart(value, { of: 'the file system', values, required });
};

const POLICY = { fileSystem, network, unixSockets } as const satisfies Record<keyof SandboxPolicy, ValueRule>;

export function checkPolicy(policy: unknown): void {
  if (typeof policy === 'string' || typeof policy === 'function') {
    const hint = 'readOnly(), workspaceWrite() or fullAccess() make one';
    throw new SandboxError('SANDBOX_POLICY_INVALID', `a policy is an object, not ${show(policy)}; ${hint}`);
  }
  checkOptions(policy, { of: 'the policy', values: POLICY, required: ['fileSystem', 'network'] });
}

export function checkEntries(value: unknown): void {
  const wrong = entries(value);
  if (wrong !== undefined)
    throw new SandboxError('SANDBOX_POLICY_INVALID', `extendPolicy: \`entries\` ${wrong}`);
}

function membersOf(type: string): Readonly<Record<string, ValueRule>> | undefined {
  return PATHS[type as PolicyPath['type']];
}

/** A policy is deep: the message names every level on the way down. */
function wrongPart(value: unknown, rules: OptionRules): string | undefined {
  const wrong = findWrongOption(value, rules);
  return wrong === undefined ? undefined : `is not right: ${wrong.message}`;
}
