// The environment of a child: exactly what was asked for, or what a policy lets through of the server's own
// environment with the request's variables on top.
import { invalidParams } from '@codex/exec-protocol';
import { matchesAny, matchingCost } from './env-pattern.js';
import { isServerOnlyVariable } from './server-only-variables.js';

export interface EnvPolicy {
  readonly inherit: 'all' | 'core' | 'none';
  readonly ignoreDefaultExcludes: boolean;
  readonly exclude: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly includeOnly: readonly string[];
}

export type Environment = Readonly<Record<string, string>>;
export type ServerEnvironment = Readonly<Record<string, string | undefined>>;

const CORE_VARIABLES = new Set([
  'PATH',
  'SHELL',
  'TMPDIR',
  'TEMP',
  'TMP',
  'HOME',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'LOGNAME',
  'USER',
]);

const looksSecret = matchesAny(['*KEY*', '*SECRET*', '*TOKEN*']);

/** About a tenth of a second, in which no other request is served. */
const MAX_MATCHING_COST = 50_000_000;

export interface ChildEnvironmentInput {
  readonly env: Environment;
  readonly policy: EnvPolicy | null | undefined;
  readonly serverEnv: ServerEnvironment;
}

export function childEnvironment({ env, policy, serverEnv }: ChildEnvironmentInput): Environment {
  const variables = policy ? applyPolicy(policy, serverEnv) : new Map<string, string>();
  for (const [name, value] of Object.entries(env)) variables.set(name, value);
  for (const name of variables.keys()) if (isServerOnlyVariable(name)) variables.delete(name);
  return toRecord(variables);
}

/** Which variables that a command's shell has set by itself (in a profile) a later command may start with. */
export function capturedVariableFilter(policy: EnvPolicy | null): (name: string) => boolean {
  const isExcluded = matchesAny(policy?.exclude ?? []);
  const isIncluded = policy && policy.includeOnly.length > 0 ? matchesAny(policy.includeOnly) : () => true;
  const dropsSecrets = policy?.ignoreDefaultExcludes === false;
  return (name) =>
    !isServerOnlyVariable(name) &&
    !(dropsSecrets && looksSecret(name)) &&
    !isExcluded(name) &&
    isIncluded(name);
}

function applyPolicy(policy: EnvPolicy, serverEnv: ServerEnvironment): Map<string, string> {
  checkCost(policy, serverEnv);
  const isExcluded = matchesAny(policy.exclude);
  const variables = new Map<string, string>();
  for (const [name, value] of Object.entries(serverEnv)) {
    if (value === undefined || !isInherited(policy.inherit, name)) continue;
    if (!policy.ignoreDefaultExcludes && looksSecret(name)) continue;
    if (!isExcluded(name)) variables.set(name, value);
  }
  for (const [name, value] of Object.entries(policy.set)) variables.set(name, value);
  if (policy.includeOnly.length > 0) keepOnly(variables, policy.includeOnly);
  return variables;
}

function checkCost({ exclude, includeOnly, set }: EnvPolicy, serverEnv: ServerEnvironment): void {
  const cost = matchingCost([...exclude, ...includeOnly], [...Object.keys(serverEnv), ...Object.keys(set)]);
  if (cost <= MAX_MATCHING_COST) return;
  throw invalidParams(
    `the environment policy has ${exclude.length + includeOnly.length} patterns for ${Object.keys(set).length} variables, ` +
      'which would take too long to match; use fewer patterns with wildcards',
  );
}

function isInherited(inherit: EnvPolicy['inherit'], name: string): boolean {
  switch (inherit) {
    case 'all':
      return true;
    case 'core':
      return CORE_VARIABLES.has(name.toUpperCase());
    case 'none':
      return false;
  }
}

function keepOnly(variables: Map<string, string>, patterns: readonly string[]): void {
  const isIncluded = matchesAny(patterns);
  for (const name of variables.keys()) if (!isIncluded(name)) variables.delete(name);
}

/** Without a prototype, so that a variable called `__proto__` is a variable. */
function toRecord(variables: ReadonlyMap<string, string>): Environment {
  const record = Object.create(null) as Record<string, string>;
  for (const [name, value] of variables) record[name] = value;
  return record;
}
