// Discovers what the user of this machine has installed for Codex: the skills of the usual folders and the plugins of
// the cache.

import { forEachBounded } from '@codex/exec-files';
import type {
  CapabilityPlugin,
  CapabilityRoot,
  InstalledPlugin,
  InstalledSkill,
  ResultOf,
} from '@codex/exec-protocol';
import { discoverRoot, type RootQuestion } from '../discover-root.js';
import { ROOTS_AT_ONCE } from '../discovery-limits.js';
import {
  findInstalledLocations,
  type Homes,
  type PluginFolder,
  type SkillFolder,
} from './installed-locations.js';
import { parsePluginManifest } from './plugin-manifest.js';
import { nameOfFolder, skillsOf } from './root-skills.js';

export type InstalledQuestion = Omit<RootQuestion, 'id' | 'path' | 'native'> & { readonly homes: Homes };

const INCOMPLETE_LOCATIONS = 'some capability locations could not be resolved; discovery may be incomplete';
const INCOMPLETE_METADATA = 'some capability metadata could not be loaded; discovery may be incomplete';

export async function discoverInstalled(
  question: InstalledQuestion,
): Promise<ResultOf<'capabilities/discoverV2'>> {
  const locations = await findInstalledLocations(question.fileSystem, question.homes);
  const folders = [...locations.skills, ...locations.plugins];
  const roots: CapabilityRoot[] = [];
  await forEachBounded([...folders.entries()], ROOTS_AT_ONCE, async ([index, { id, path: native }]) => {
    const path = question.formatPath(native);
    roots[index] = await discoverRoot({ ...question, id, path, native });
  });
  const warnings = locations.isComplete ? [] : [INCOMPLETE_LOCATIONS];
  const note = (isComplete: boolean) => {
    if (!isComplete) warnings.push(INCOMPLETE_METADATA);
  };
  const take = async <F, R>(
    list: readonly F[],
    from: number,
    read: (folder: F, root: CapabilityRoot) => Promise<Read<R>>,
  ) => {
    const all: R[] = [];
    for (const [index, folder] of list.entries()) {
      const root = roots[from + index];
      if (root === undefined) continue;
      const { found, isComplete } = await read(folder, root);
      note(isComplete);
      for (const one of found) all.push(one);
    }
    return all;
  };
  const skills = await take(locations.skills, 0, readSkills);
  const plugins = await take(locations.plugins, locations.skills.length, readPlugin);
  return { plugins, skills, warnings };
}

interface Read<R> {
  readonly found: readonly R[];
  readonly isComplete: boolean;
}

async function readSkills({ id }: SkillFolder, root: CapabilityRoot): Promise<Read<InstalledSkill>> {
  const { skills, isComplete } = await skillsOf(root);
  return { found: skills.map((skill) => ({ ...skill, discoveryRoot: { id, path: root.path } })), isComplete };
}

async function readPlugin(folder: PluginFolder, root: CapabilityRoot): Promise<Read<InstalledPlugin>> {
  const { plugin, path } = root;
  const manifest = plugin && parsePluginManifest(plugin.manifest.contents, nameOfFolder(path));
  if (plugin === null || !manifest) return { found: [], isComplete: false };
  const { skills, isComplete } = await skillsOf(root);
  const { id, version, remotePluginId } = folder;
  const { displayName, mcpServers } = manifest;
  const files = mcpServers === undefined ? plugin : withServers(plugin, mcpServers);
  return {
    found: [{ id, displayName, remotePluginId, version, root: path, files, skills: [...skills] }],
    isComplete,
  };
}

/** Servers that stand in the manifest are given as the file that could have held them. */
function withServers(plugin: CapabilityPlugin, servers: object): CapabilityPlugin {
  const { path } = plugin.manifest;
  return { ...plugin, mcpConfig: { path, contents: JSON.stringify(servers) } };
}
