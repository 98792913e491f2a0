// Turns settings into flags of the command line.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { expectationMissed, keyOf, type Setting, type SettingValue, valueOfText } from './setting.js';

export function addSettingFlags(command: Command, settings: readonly Setting[]): void {
  for (const setting of settings) {
    const option = settingOption(setting);
    command.addOption(setting.group === undefined ? option : option.helpGroup(setting.group));
  }
}

/**
 * The settings that these words name, where they name nothing else: adding the flags of all of them takes milliseconds, which a
 * server that is waited for need not take. All of them as soon as there is another option among the words: help, a
 * mistake, a short form.
 */
export function settingsNamedIn(
  words: readonly string[],
  settings: readonly Setting[],
  others: readonly string[],
): readonly Setting[] {
  const flags = new Map(settings.map((setting) => [`--${flagOf(setting)}`, setting]));
  const named = new Set<Setting>();
  for (const word of words) {
    if (!word.startsWith('-')) continue;
    const [flag = ''] = word.split('=', 1);
    const setting = flags.get(flag);
    if (setting !== undefined) named.add(setting);
    else if (!others.includes(flag)) return settings;
  }
  return [...named];
}

/** The settings that the command line itself gives. Defaults are not among them: a variable or a file counts before. */
export function givenFlags(command: Command, settings: readonly Setting[]): Record<string, SettingValue> {
  const given: Record<string, SettingValue> = {};
  for (const { name } of settings) {
    if (command.getOptionValueSource(name) === 'cli')
      given[name] = command.getOptionValue(name) as SettingValue;
  }
  return given;
}

function flagOf(setting: Setting): string {
  const key = keyOf(setting);
  return setting.kind === 'switch' && setting.fallback ? `no-${key}` : key;
}

function settingOption(setting: Setting): Option {
  const flag = flagOf(setting);
  switch (setting.kind) {
    case 'switch':
      return new Option(`--${flag}`, setting.text);
    case 'list': {
      const option = new Option(`--${flag} <${setting.placeholder}...>`, setting.text);
      return setting.choices === undefined ? option : option.choices(setting.choices);
    }
    case 'choice':
      return new Option(`--${flag} <${setting.placeholder}>`, described(setting)).choices(setting.choices);
    case 'integer':
      return new Option(`--${flag} <${setting.placeholder}>`, described(setting)).argParser((text) =>
        parsed(setting, text),
      );
    case 'text':
    case 'path':
      return new Option(`--${flag} <${setting.placeholder}>`, described(setting));
  }
}

/** Commander would show the default itself, but then it would also count as given. */
function described({ text, fallback }: { readonly text: string; readonly fallback?: unknown }): string {
  return fallback === undefined ? text : `${text} (default: ${String(fallback)})`;
}

function parsed(setting: Setting, text: string): SettingValue {
  const value = valueOfText(setting, text);
  if (value === undefined)
    throw new InvalidArgumentError(`expected ${expectationMissed(setting, undefined)}.`);
  return value;
}
