// Reads the manifest of a plugin.
import { isRecord } from './skill-text.js';

export interface PluginManifest {
  /** In front of the names of its skills. */
  readonly name: string;
  readonly displayName: string;
  /** Servers that stand in the manifest itself. */
  readonly mcpServers: Readonly<Record<string, unknown>> | undefined;
}

/** Undefined for a text that is no manifest. `folder` names a plugin that has no name of its own. */
export function parsePluginManifest(json: string, folder: string): PluginManifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { name: given = '', interface: shown, mcpServers } = value;
  const display = shown == null ? {} : shown;
  if (typeof given !== 'string' || !isRecord(display)) return undefined;
  const { displayName = '' } = display;
  if (typeof displayName !== 'string') return undefined;
  const name = given.trim() === '' ? folder : given;
  return {
    name,
    displayName: displayName.trim() === '' ? name : displayName.trim(),
    mcpServers: isRecord(mcpServers) ? mcpServers : undefined,
  };
}
