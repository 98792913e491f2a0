// Lists the skills of one discovered root, as a client shows them.
import { basename, dirname } from 'node:path/posix';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CapabilityRoot, CapabilitySkill, InstalledPluginSkill } from '@codex/exec-protocol';
import { MANIFESTS } from '../plugin-files.js';
import { parsePluginManifest } from './plugin-manifest.js';
import { parseSkillFrontMatter } from './skill-front-matter.js';
import { parseSkillMetadata } from './skill-metadata.js';

export interface RootSkills {
  readonly skills: readonly InstalledPluginSkill[];
  /** False when a file of the root could not be read or understood. */
  readonly isComplete: boolean;
}

/** A turn of the event loop for each: a skill is small, a root may have thousands. */
export async function skillsOf(root: CapabilityRoot): Promise<RootSkills> {
  const namespaces = namespacesIn(root);
  const skills: InstalledPluginSkill[] = [];
  for (const skill of root.skills) {
    await nextTurn();
    const described = describe(skill, namespaces);
    if (described !== undefined) skills.push(described);
  }
  const isComplete =
    root.warnings.length === 0 && root.error === null && skills.length === root.skills.length;
  return { skills, isComplete };
}

function describe(
  { instructions, metadata }: CapabilitySkill,
  namespaces: ReadonlyMap<string, string>,
): InstalledPluginSkill | undefined {
  const head = parseSkillFrontMatter(instructions.contents);
  if (head === undefined) return undefined;
  const { name = nameOfFolder(dirname(instructions.path)), description, shortDescription } = head;
  const namespace = nearest(dirname(instructions.path), namespaces);
  return {
    name: namespace === undefined ? name : `${namespace}:${name}`,
    description,
    shortDescription,
    path: instructions.path,
    ...parseSkillMetadata(metadata?.contents),
  };
}

/** The folders that are plugins, with the names that they give to their skills. */
function namespacesIn({ namespaceManifests }: CapabilityRoot): Map<string, string> {
  const namespaces = new Map<string, string>();
  for (const { path, contents } of namespaceManifests) {
    const folder = folderOfManifest(path);
    const manifest = parsePluginManifest(contents, nameOfFolder(folder));
    if (manifest !== undefined) namespaces.set(folder, manifest.name);
  }
  return namespaces;
}

function folderOfManifest(path: string): string {
  const place = MANIFESTS.find((name) => path.endsWith(`/${name}`)) ?? '';
  return path.slice(0, -place.length - 1);
}

function nearest(folder: string, namespaces: ReadonlyMap<string, string>): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = namespaces.get(at);
    if (found !== undefined || at === dirname(at)) return found;
  }
}

/** Paths are URIs where the request's are. */
export function nameOfFolder(path: string): string {
  const name = basename(path);
  try {
    return path.startsWith('file:') ? decodeURIComponent(name) : name;
  } catch {
    return name;
  }
}
