// Turns settings into flags of the command line.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { expectationMissed, keyOf, type Setting, type SettingValue, valueOfText } from './setting.js';

export function addSettingFlags(command: Command, settings: readonly Setting[]): void {
  for (const setting of settings) {
    const option = settingOption(setting);
    command.addOption(setting.group === undefined ? option : option.helpGroup(setting.group));
  }
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

function settingOption(setting: Setting): Option {
  const flag = keyOf(setting);
  switch (setting.kind) {
    case 'switch':
      return new Option(setting.fallback ? `--no-${flag}` : `--${flag}`, setting.text);
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
