// The shape of a policy that somebody put together by hand, as it is checked at run time.
import { SandboxError } from '../errors.js';
import type { PolicyEntry, PolicyPath, SandboxPolicy } from '../policy/policy-model.js';
import { checkOptions, findWrongOption, isPlainRecord, show, type ValueRule } from './check-options.js';
import { count, network, oneOf, text, unixSockets } from './value-rules.js';

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
  return sentence(findWrongOption(value, { of: `the path`, values: { ...members, type: text }, required }));
};

const ENTRY = {
  path,
  access: oneOf(['read', 'write', 'deny']),
  whenMissing: oneOf(['cover', 'remove']),
} as const satisfies Record<keyof PolicyEntry, ValueRule>;

const entries: ValueRule = (value) => {
  if (!Array.isArray(value)) return `is a list of entries, not ${show(value)}`;
  for (const [index, entry] of value.entries()) {
    const wrong = wrongEntry(entry, index);
    if (wrong !== undefined) return sentence(wrong);
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
  return sentence(findWrongOption(value, { of: 'the file system', values, required }));
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

function wrongEntry(entry: unknown, index: number): string | undefined {
  return findWrongOption(entry, { of: `entry ${index}`, values: ENTRY, required: ['path', 'access'] });
}

function membersOf(type: string): Readonly<Record<string, ValueRule>> | undefined {
  return PATHS[type as PolicyPath['type']];
}

function sentence(wrong: string | undefined): string | undefined {
  return wrong === undefined ? undefined : `is not right: ${wrong}`;
}
