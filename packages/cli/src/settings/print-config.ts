// Prints the settings in effect as a configuration file, and the JSON Schema of such files.

import type { EffectiveSetting } from './effective-settings.js';
import { keyOf, type Setting } from './setting.js';

export function configDocument(effective: readonly EffectiveSetting[]): string {
  const lines: string[] = [];
  let group: string | undefined;
  for (const { setting, value, source } of effective) {
    if (setting.group !== group) lines.push('', `# ${setting.group}`);
    group = setting.group;
    const key = keyOf(setting);
    // Strings of JSON are strings of TOML as well.
    lines.push(
      value === undefined ? `# ${key} is not set` : `${key} = ${JSON.stringify(value)}  # ${source}`,
    );
  }
  return `${lines.join('\n')}\n`;
}

export function configSchema(settings: readonly Setting[]): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of exec-server',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(settings.map((setting) => [keyOf(setting), propertySchema(setting)])),
  };
}

function propertySchema(setting: Setting): object {
  const fallback = 'fallback' in setting ? { default: setting.fallback } : {};
  switch (setting.kind) {
    case 'text':
    case 'path':
      return { type: 'string', description: setting.text, ...fallback };
    case 'choice':
      return { enum: setting.choices, description: setting.text, ...fallback };
    case 'integer':
      return {
        type: 'integer',
        minimum: 0,
        maximum: setting.highest ?? Number.MAX_SAFE_INTEGER,
        description: setting.text,
        ...fallback,
      };
    case 'list':
      return {
        type: 'array',
        items: setting.choices === undefined ? { type: 'string' } : { enum: setting.choices },
        description: setting.text,
      };
    case 'switch':
      return { type: 'boolean', description: `${String(!setting.fallback)}: ${setting.text}`, ...fallback };
  }
}
