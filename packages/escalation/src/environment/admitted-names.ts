// Which variables of the asking process may reach a program outside of the sandbox: how text looks, and what the operator lists.
import { EscalationError } from '../escalation-error.js';
import { isRefusedName, refusedNameUnder } from './refused-names.js';

const DEFAULT_NAMES = ['LANG', 'TZ', 'TERM', 'COLUMNS', 'LINES', 'NO_COLOR', 'FORCE_COLOR'];
const DEFAULT_PREFIXES = ['LC_'];

export interface AdmittedNames {
  admits(name: string, value: string): boolean;
}

/** `listed` are names, or the beginning of names with a star behind: `CI`, `MYTOOL_*`. */
export function admittedNames(listed: readonly string[] = []): AdmittedNames {
  const names = new Set(DEFAULT_NAMES);
  const prefixes = [...DEFAULT_PREFIXES];
  for (const item of listed) {
    const prefix = /^([A-Za-z_]\w*)\*$/.exec(item)?.[1];
    if (prefix !== undefined) prefixes.push(checkedPrefix(prefix));
    else names.add(checkedName(item));
  }
  return {
    admits: (name, value) =>
      (names.has(name) || (prefixes.some((prefix) => name.startsWith(prefix)) && !isRefusedName(name))) &&
      !namesAFile(name, value),
  };
}

/** Locales, terminals and time zones are read from files by their name; one with a path in it would be the caller's file. */
function namesAFile(name: string, value: string): boolean {
  if (name === 'TZ') return /^[:/]|(?:^|\/)\.\.(?:\/|$)/.test(value);
  return (name === 'TERM' || name === 'LANG' || name.startsWith('LC_')) && value.includes('/');
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
