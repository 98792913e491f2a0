// A plugin: its manifest, and the files that the manifest names or that stand in their usual places.

import { joinName, type NativePath } from '@codex/exec-files';
import type { CapabilityPlugin, CapabilityTextFile } from '@codex/exec-protocol';
import type { RootFiles } from './root-files.js';

/** Where a manifest may be, the first one found counting. */
export const MANIFESTS = [
  '.codex-plugin/plugin.json',
  '.claude-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
] as const;

export async function readPlugin(
  root: NativePath,
  manifest: CapabilityTextFile,
  files: RootFiles,
): Promise<CapabilityPlugin> {
  const { mcpServers, apps } = membersOf(manifest.contents);
  const companion = async (member: unknown, name: string, usual: string) => {
    const chosen = chooseFile(member, usual);
    if (chosen.problem !== undefined) {
      files.warnings.push(`ignoring ${name} in ${manifest.path}: ${chosen.problem}`);
    }
    return (await files.read(joinName(root, chosen.file))) ?? null;
  };
  return {
    manifest,
    // Servers that stand in the manifest itself take the place of the usual file.
    mcpConfig: isObject(mcpServers) ? null : await companion(mcpServers, 'mcpServers', '.mcp.json'),
    appsConfig: await companion(apps, 'apps', '.app.json'),
  };
}

export interface ChosenFile {
  /** Relative to the root. */
  readonly file: string;
  readonly problem?: string;
}

export function chooseFile(member: unknown, usual: string): ChosenFile {
  if (typeof member !== 'string') return { file: usual };
  if (!member.startsWith('./')) return { file: usual, problem: 'path must start with `./`' };
  const names = member.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0 || names.includes('..')) {
    return { file: usual, problem: 'path must remain below the capability root' };
  }
  return { file: names.join('/') };
}

function membersOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
