// Which variables of a captured shell a command starts with.
import { capturedVariableFilter, type EnvPolicy } from '../environment/env-policy.js';
import type { ShellVariable } from './captured-state.js';

/** The shell makes these itself, or they say where it is and not what a profile has set. */
const OWN = new Set([
  'BASH',
  'BASHOPTS',
  'BASHPID',
  'BASH_ALIASES',
  'BASH_ARGC',
  'BASH_ARGV',
  'BASH_ARGV0',
  'BASH_CMDS',
  'BASH_COMMAND',
  'BASH_ENV',
  'BASH_EXECUTION_STRING',
  'BASH_LINENO',
  'BASH_REMATCH',
  'BASH_SOURCE',
  'BASH_SUBSHELL',
  'BASH_VERSINFO',
  'BASH_VERSION',
  'COMP_WORDBREAKS',
  'DIRSTACK',
  'EPOCHREALTIME',
  'EPOCHSECONDS',
  'EUID',
  'FUNCNAME',
  'GROUPS',
  'HISTCMD',
  'LINENO',
  'PIPESTATUS',
  'POSIXLY_CORRECT',
  'PPID',
  'PWD',
  'RANDOM',
  'SECONDS',
  'SHELLOPTS',
  'SHLVL',
  'SRANDOM',
  'UID',
  '_',
  '__codex_name',
]);

export interface VariableSelection {
  readonly policy: EnvPolicy | null;
  /** Variables whose value is the request's. */
  readonly given: ReadonlySet<string>;
}

export function restoredVariables(
  variables: readonly ShellVariable[],
  { policy, given }: VariableSelection,
): readonly ShellVariable[] {
  const mayPass = capturedVariableFilter(policy);
  return variables.filter(
    ({ name, isExported }) => !OWN.has(name) && !given.has(name) && (!isExported || mayPass(name)),
  );
}

/**
 * Variables of the environment whose value the profile has removed or exports no longer; what the shell keeps to itself is
 * never among them.
 */
export function removedVariables(
  environment: readonly string[],
  variables: readonly ShellVariable[],
  given: ReadonlySet<string>,
): readonly string[] {
  const stays = ({ isExported, declaration }: ShellVariable) => isExported && declaration.includes('=');
  const kept = new Set(variables.filter(stays).map(({ name }) => name));
  return environment.filter(
    (name) => /^[A-Za-z_]\w*$/.test(name) && !kept.has(name) && !OWN.has(name) && !given.has(name),
  );
}

/** Functions that the environment brings. */
export function givenFunctions(environment: readonly string[]): readonly string[] {
  return environment.flatMap((name) => /^BASH_FUNC_(.+)%%$/.exec(name)?.[1] ?? []);
}
