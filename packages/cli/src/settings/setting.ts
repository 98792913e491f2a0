// One setting of the server. Its flag, its variable, its key in the configuration file and its part of the JSON Schema
// all follow from this description.

interface SettingBase {
  /** In camelCase, as the program uses it. */
  readonly name: string;
  readonly text: string;
  /** The heading under which `--help` lists it. */
  readonly group?: string;
  /** A variable besides `EXEC_SERVER_<NAME>`, for one that other programs set. */
  readonly variable?: string;
}

export type Setting = SettingBase &
  (
    | { readonly kind: 'text' | 'path'; readonly placeholder: string; readonly fallback?: string }
    | {
        readonly kind: 'choice';
        readonly choices: readonly string[];
        readonly placeholder: string;
        readonly fallback?: string;
      }
    | {
        readonly kind: 'integer';
        readonly placeholder: string;
        readonly fallback?: number;
        readonly highest?: number;
      }
    | { readonly kind: 'list'; readonly placeholder: string; readonly choices?: readonly string[] }
    /** On where the fallback is true: its flag is then `--no-…`. */
    | { readonly kind: 'switch'; readonly fallback: boolean }
  );

export type SettingValue = string | number | boolean | readonly string[];
export type SettingValues = Readonly<Record<string, SettingValue>>;

/** The name as a flag and as a key of the file. */
export function keyOf({ name }: Pick<Setting, 'name'>): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function variableOf(setting: Pick<Setting, 'name'>): string {
  return `EXEC_SERVER_${keyOf(setting).replaceAll('-', '_').toUpperCase()}`;
}

/** Undefined when the value is one; otherwise what was expected. Values of files are checked as they are. */
export function expectationMissed(setting: Setting, value: unknown): string | undefined {
  switch (setting.kind) {
    case 'text':
    case 'path':
      return typeof value === 'string' ? undefined : 'a string';
    case 'choice':
      return typeof value === 'string' && setting.choices.includes(value)
        ? undefined
        : `one of ${quotedList(setting.choices)}`;
    case 'integer':
      return isWholeNumber(value, setting.highest) ? undefined : wholeNumberUpTo(setting.highest);
    case 'list':
      return Array.isArray(value) && value.every((item) => isItem(setting, item))
        ? undefined
        : `an array of ${setting.choices === undefined ? 'strings' : quotedList(setting.choices)}`;
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'true or false';
  }
}

/** A setting from a text: a word of the command line, or the value of a variable. Undefined when it is none. */
export function valueOfText(setting: Setting, text: string): SettingValue | undefined {
  switch (setting.kind) {
    case 'text':
    case 'path':
      return text;
    case 'choice':
      return setting.choices.includes(text) ? text : undefined;
    case 'integer': {
      const value = Number(text);
      return /^\d+$/.test(text) && isWholeNumber(value, setting.highest) ? value : undefined;
    }
    case 'list': {
      const items = text.split(',').map((item) => item.trim());
      return items.every((item) => isItem(setting, item)) ? items : undefined;
    }
    case 'switch':
      return SWITCH_WORDS[text.toLowerCase()];
  }
}

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  1: true,
  true: true,
  yes: true,
  on: true,
  0: false,
  false: false,
  no: false,
  off: false,
};

function isItem({ choices }: { readonly choices?: readonly string[] }, item: unknown): boolean {
  return typeof item === 'string' && (choices === undefined || choices.includes(item));
}

function quotedList(choices: readonly string[]): string {
  return choices.map((choice) => `"${choice}"`).join(', ');
}

function wholeNumberUpTo(highest: number | undefined): string {
  return `a whole number ${highest === undefined ? 'that is 0 or more' : `from 0 to ${highest}`}`;
}

function isWholeNumber(value: unknown, highest: number = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= highest;
}
