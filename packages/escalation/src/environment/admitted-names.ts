// Which variables of the asking process may reach a program outside of the sandbox: how text looks, and what the operator lists.
import { EscalationError } from '../escalation-error.js';
import { isRefusedName, refusedNameUnder } from './refused-names.js';

/**
 * How their values may look. A script that computes with one of them (`$((COLUMNS - 1))`) executes what Bash finds in it, and one that
 * forgets its quotes takes it for an option.
 */
const NAME = /^(?:\w[\w.@+-]*)?$/;
const NUMBER = /^\d{1,5}$/;
const TIME_ZONE = /^(?:[\w<][\w.:,+<>/-]*)?$/;
const DEFAULTS: ReadonlyMap<string, RegExp> = new Map([
  ['LANG', NAME],
  ['TZ', TIME_ZONE],
  ['TERM', NAME],
  ['COLUMNS', NUMBER],
  ['LINES', NUMBER],
  ['NO_COLOR', NAME],
  ['FORCE_COLOR', NAME],
]);
const LOCALE_CATEGORY = /^LC_[A-Z_]+$/;

export interface AdmittedNames {
  admits(name: string, value: string): boolean;
}

/** `listed` are names, or the beginning of names with a star behind: `CI`, `MYTOOL_*`. */
export function admittedNames(listed: readonly string[] = []): AdmittedNames {
  const names = new Set<string>();
  const prefixes: string[] = [];
  for (const item of listed) {
    const prefix = /^([A-Za-z_]\w*)\*$/.exec(item)?.[1];
    if (prefix !== undefined) prefixes.push(checkedPrefix(prefix));
    else names.add(checkedName(item));
  }
  return {
    admits: (name, value) => {
      const looks = DEFAULTS.get(name) ?? (LOCALE_CATEGORY.test(name) ? NAME : undefined);
      if (looks !== undefined) return looks.test(value) && !stepsBack(value);
      return names.has(name) || (prefixes.some((prefix) => name.startsWith(prefix)) && !isRefusedName(name));
    },
  };
}

/** A time zone is a file, found by its name. */
function stepsBack(value: string): boolean {
  return value.split('/').includes('..');
}

function checkedName(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) {
    throw refused(`${JSON.stringify(name)} is neither the name of a variable nor a beginning with a star`);
  }
  if (isRefusedName(name)) {
    throw refused(
      `${name} cannot be passed on to programs outside of the sandbox: it decides what they load or run`,
    );
  }
  return name;
}

function checkedPrefix(prefix: string): string {
  const found = refusedNameUnder(prefix);
  if (found === undefined) return prefix;
  throw refused(
    `${prefix}* cannot be passed on to programs outside of the sandbox: it covers ${found}…, which decides what they load or run`,
  );
}

function refused(message: string): EscalationError {
  return new EscalationError('ESCALATE_ENV_REFUSED', message);
}
