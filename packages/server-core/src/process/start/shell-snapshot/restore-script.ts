// The script that a shell reads before its command, in place of its profile. It must leave no trace of its own: no
// output, no variable, no open descriptor, and the command's line numbers are the command's.
import type { CapturedState, ProcessSetting, ShellVariable } from './captured-state.js';

/** Where the shell reads this script. High, since commands use low numbers of their own. */
export const SCRIPT_DESCRIPTOR = 251;
export const SCRIPT_PATH = `/dev/fd/${SCRIPT_DESCRIPTOR}`;

export interface Restoration {
  readonly state: CapturedState;
  readonly variables: readonly ShellVariable[];
  readonly removed: readonly string[];
  /** Functions that the shell takes from its environment; those that are to stay are part of the state. */
  readonly givenFunctions: readonly string[];
  /** The command that makes `BASH_ENV`, which has brought the shell here, what the command is to see. */
  readonly bashEnv: string;
}

/**
 * Functions may have the names of builtins. They come late, and what follows them says `\builtin`, which no alias and
 * no function that can be captured replaces. Options and traps come last, as they would act on this script.
 */
export function restoreScript({ state, variables, removed, givenFunctions, bashEnv }: Restoration): string {
  const { options, tracing } = splitOptions(state.options);
  const shellOptions = linesOf(state.shellOptions).filter((line) => !isFixedOption(line));
  const isEarly = (line: string) => !isLateOption(line);
  return [
    givenFunctions.length === 0 ? '' : `\\builtin unset -f -- ${givenFunctions.map(quoted).join(' ')}`,
    `exec ${SCRIPT_DESCRIPTOR}<&-`,
    'set -f; shopt -u expand_aliases',
    ...quietly(bashEnv),
    ...quietly(removed.map((name) => `unset -v ${name}`).join('\n')),
    ...quietly(settingChanges(state.before, state.after).join('\n')),
    ...quietly(variables.map(({ declaration }) => declaration).join('\n')),
    ...quietly(state.aliases),
    ...quietly(shellOptions.filter(isEarly).join('\n')),
    'shopt -s extglob',
    state.functions,
    ...quietly(asBuiltins(linesOf(state.functionAttributes).filter(hasAttributes))),
    ...quietly(asBuiltins(shellOptions.filter(isLateOption))),
    `\\builtin set ${options}`,
    asBuiltins(trapsOf(state)),
    tracing === '' ? statusOf(state) : `\\builtin ${tracing}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const asBuiltins = (commands: readonly string[]): string =>
  commands.map((command) => `\\builtin ${command}`).join('\n');

/** One command each; that of DEBUG last, as it would act on the others. */
function trapsOf({ traps }: CapturedState): string[] {
  const commands = traps.match(/^trap -- '[^']*(?:'\\''[^']*)*' \S+$/gm) ?? [];
  const isDebug = (command: string) => command.endsWith("' DEBUG");
  return [...commands.filter((one) => !isDebug(one)), ...commands.filter(isDebug)];
}

/** Under errexit the shell would end here, and an ERR trap would see a failure that is none. */
function statusOf({ status, options, traps }: CapturedState): string {
  const isSeen = options.includes('set -o errexit') || traps !== '';
  return status === 0 || isSeen ? '' : `(exit ${status})`;
}

function quietly(commands: string): readonly string[] {
  return commands.trim() === '' ? [] : [`\\builtin eval ${quoted(commands)} >/dev/null 2>&1`];
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Of the shell's invocation and not of its profile; and switching a compatibility level off sets a variable. */
const isFixedOption = (line: string): boolean =>
  /^shopt -(\w (login_shell|restricted_shell)|u compat\d+)$/.test(line);

/** With `extglob` all functions can be read, also those that were defined before it was switched off. */
const isLateOption = (line: string): boolean => /^shopt -\w (expand_aliases|extdebug|extglob)$/.test(line);

const hasAttributes = (line: string): boolean => !line.startsWith('declare -f ');

/** `set +o` lines as one command; a trace that is asked for begins after it. */
function splitOptions(text: string): { options: string; tracing: string } {
  const wanted = linesOf(text)
    .map((line) => /^set ([-+]o) (\S+)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, sign = '', name = '']) => ({ sign, name }));
  const isTrace = (name: string) => name === 'xtrace' || name === 'verbose';
  const write = (list: typeof wanted) => list.map(({ sign, name }) => `${sign} ${name}`).join(' ');
  const traces = wanted.filter(({ sign, name }) => sign === '-o' && isTrace(name));
  return {
    options: write(wanted.filter(({ name }) => !isTrace(name) && name !== 'privileged')),
    tracing: traces.length === 0 ? '' : `set ${write(traces)}`,
  };
}

function settingChanges(before: ProcessSetting, after: ProcessSetting): string[] {
  const changes: string[] = [];
  if (after.directory !== before.directory) changes.push(`cd -- ${quoted(after.directory)}`);
  if (after.umask !== before.umask) changes.push(`umask ${after.umask}`);
  for (const kind of ['soft', 'hard'] as const) {
    for (const [letter, value] of after.limits[kind]) {
      if (before.limits[kind].get(letter) === value) continue;
      changes.push(`ulimit -${kind === 'soft' ? 'S' : 'H'} -${letter} ${value}`);
    }
  }
  return changes;
}
