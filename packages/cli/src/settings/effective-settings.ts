// Decides which value of a setting counts: a flag before a variable before the file before the default.

import { ConfigFileError } from './config-error.js';
import { readConfigFile } from './config-file.js';
import {
  expectationMissed,
  keyOf,
  type Setting,
  type SettingValue,
  type SettingValues,
  valueOfText,
  variableOf,
} from './setting.js';

export interface EffectiveSetting {
  readonly setting: Setting;
  /** Undefined where nothing is set and there is no default. */
  readonly value: SettingValue | undefined;
  /** `default`, `--flag`, `$VARIABLE`, or the file's path. */
  readonly source: string;
}

export interface SettingSources {
  readonly flags: SettingValues;
  readonly env: NodeJS.ProcessEnv;
  /** The file that is asked for; false for none, undefined for the usual one if it is there. */
  readonly config: string | false | undefined;
}

export async function effectiveSettings(
  settings: readonly Setting[],
  { flags, env, config }: SettingSources,
): Promise<EffectiveSetting[]> {
  const file = await readConfigFile(config, settings, env);
  return settings.map((setting) => {
    const flag = flags[setting.name];
    if (flag !== undefined) return { setting, value: flag, source: `--${keyOf(setting)}` };
    const variable = fromVariables(setting, env);
    if (variable !== undefined) return { setting, ...variable };
    const value = file?.values[setting.name];
    if (file !== undefined && value !== undefined) return { setting, value, source: file.path };
    return { setting, value: 'fallback' in setting ? setting.fallback : undefined, source: 'default' };
  });
}

/** By name, without what is not set. */
export function settingValues(effective: readonly EffectiveSetting[]): SettingValues {
  return Object.fromEntries(
    effective.flatMap(({ setting, value }) => (value === undefined ? [] : [[setting.name, value]])),
  );
}

function fromVariables(
  setting: Setting,
  env: NodeJS.ProcessEnv,
): { readonly value: SettingValue; readonly source: string } | undefined {
  for (const name of [variableOf(setting), setting.variable]) {
    const text = name === undefined ? undefined : env[name];
    // Many ways to start a program can set a variable, but not unset it.
    if (text === undefined || text === '') continue;
    const value = valueOfText(setting, text);
    if (value === undefined) {
      throw new ConfigFileError(
        'CONFIG_VARIABLE_INVALID',
        `\`${name}\` is ${expectationMissed(setting, undefined)}, not ${JSON.stringify(text)}`,
      );
    }
    return { value, source: `$${name}` };
  }
  return undefined;
}
