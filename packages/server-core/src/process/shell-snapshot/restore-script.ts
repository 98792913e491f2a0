// The script that a shell reads before its command, in place of its profile. It must leave no trace of its own: no
// output, no variable, no open descriptor, and the command's line numbers are the command's.
import { SCRIPT_DESCRIPTOR } from './capture-script.js';
import type { CapturedState, ProcessSetting, ShellVariable } from './captured-state.js';

export interface Restoration {
  readonly state: CapturedState;
  readonly variables: readonly ShellVariable[];
  readonly removed: readonly string[];
  /** The command that makes `BASH_ENV`, which has brought the shell here, what the command is to see. */
  readonly bashEnv: string;
}

/**
 * Functions come before aliases, which would be expanded in their bodies. Options and traps come last, as they would
 * act on this script.
 */
export function restoreScript({ state, variables, removed, bashEnv }: Restoration): string {
  const { options, tracing } = splitOptions(state.options);
  const shellOptions = linesOf(state.shellOptions).filter((line) => !isFixedOption(line));
  const lastOptions = shellOptions.filter((line) => isLateOption(line));
  return [
    `exec ${SCRIPT_DESCRIPTOR}<&-`,
    ...quietly(bashEnv),
    ...quietly(shellOptions.filter((line) => !isLateOption(line)).join('\n')),
    state.functions,
    ...quietly(linesOf(state.functionAttributes).filter(hasAttributes).join('\n')),
    ...quietly(removed.map((name) => `unset -v ${name}`).join('\n')),
    ...quietly(settingChanges(state.before, state.after).join('\n')),
    ...quietly(variables.map(({ declaration }) => declaration).join('\n')),
    ...quietly(state.aliases),
    ...quietly(lastOptions.join('\n')),
    `set ${options}`,
    state.traps,
    tracing === '' ? statusOf(state) : tracing,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** Under errexit the shell would end here, and an ERR trap would see a failure that is none. */
function statusOf({ status, options, traps }: CapturedState): string {
  const isSeen = options.includes('set -o errexit') || traps !== '';
  return status === 0 || isSeen ? '' : `(exit ${status})`;
}

function quietly(commands: string): readonly string[] {
  return commands.trim() === '' ? [] : [`eval ${quoted(commands)} >/dev/null 2>&1`];
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Of the shell's invocation and not of its profile; and switching a compatibility level off sets a variable. */
const isFixedOption = (line: string): boolean =>
  /^shopt -(\w (login_shell|restricted_shell)|u compat\d+)$/.test(line);

const isLateOption = (line: string): boolean => /^shopt -\w (expand_aliases|extdebug)$/.test(line);

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
