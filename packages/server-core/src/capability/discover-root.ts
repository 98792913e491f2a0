// Discovers one directory: whether it is a plugin, and which plugins and skills lie below it.

import type { FileSystem } from '@codex/exec-files';
import { forEachBounded, joinName, type NativePath, toFsError } from '@codex/exec-files';
import {
  type CapabilityRoot,
  type CapabilitySkill,
  type CapabilityTextFile,
  RpcError,
} from '@codex/exec-protocol';
import { FILES_AT_ONCE, WALK_BOUNDS } from './discovery-limits.js';
import { MANIFESTS, readPlugin } from './plugin-files.js';
import { type AnswerRoom, RootFiles } from './root-files.js';

export interface RootQuestion {
  readonly id: string;
  /** As it was asked for, and as it is answered. */
  readonly path: string;
  readonly native: NativePath;
  readonly fileSystem: FileSystem;
  readonly formatPath: (path: NativePath) => string;
  readonly parsePath: (text: string) => NativePath;
  readonly room: AnswerRoom;
  readonly signal: AbortSignal;
}

const INSTRUCTIONS = 'SKILL.md';
const METADATA = 'agents/openai.yaml';

export async function discoverRoot(question: RootQuestion): Promise<CapabilityRoot> {
  const { id, path } = question;
  const nothing = { id, path, plugin: null, skills: [], namespaceManifests: [], warnings: [] };
  const obstacle = await findObstacle(question);
  if (obstacle !== undefined) return { ...nothing, error: obstacle };
  try {
    return { id, path, ...(await lookBelow(question)), error: null };
  } catch (error) {
    return { ...nothing, error: `failed to scan capability root ${path}: ${reasonOf(error)}` };
  }
}

async function findObstacle({ native, path, fileSystem }: RootQuestion): Promise<string | undefined> {
  try {
    const { isDirectory } = await fileSystem.getMetadata(native, {});
    return isDirectory ? undefined : `capability root ${path} is not a directory`;
  } catch (error) {
    return `failed to inspect capability root ${path}: ${reasonOf(error)}`;
  }
}

/** A sandbox that cannot be enforced here refuses the whole request: it is not a matter of this root. */
function reasonOf(error: unknown): string {
  if (error instanceof RpcError) throw error;
  return toFsError(error).message;
}

async function lookBelow(question: RootQuestion): Promise<Omit<CapabilityRoot, 'id' | 'path' | 'error'>> {
  const { native, path, fileSystem, formatPath, parsePath, room, signal } = question;
  const walked = await fileSystem.walk(native, {
    ...WALK_BOUNDS,
    followDirectorySymlinks: true,
    pruneHiddenDirectories: false,
    formatPath,
    signal,
  });
  const found = walked.entries.filter(({ kind }) => kind === 'file').map((entry) => entry.path);
  found.sort(byCodeUnits);
  const files = new RootFiles({ fileSystem, formatPath, room });
  if (walked.truncated) files.warnings.push(`capability scan reached its traversal limit (root: ${path})`);
  for (const { path: where, message } of walked.errors) {
    files.warnings.push(`failed to scan capability path ${where}: ${message}`);
  }

  const manifests = await readAll(manifestsAmong(found), (text) => files.read(parsePath(text)));
  const rootManifest = await firstManifest(native, files);
  const plugin = rootManifest === undefined ? null : await readPlugin(native, rootManifest, files);
  const skills = await readAll(
    found.filter((text) => text.endsWith(`/${INSTRUCTIONS}`)),
    (text) => readSkill(parsePath(text), parsePath(folderOf(text)), files),
  );
  return { plugin, skills, namespaceManifests: manifests, warnings: files.warnings };
}

async function readSkill(
  instructions: NativePath,
  folder: NativePath,
  files: RootFiles,
): Promise<CapabilitySkill | undefined> {
  const text = await files.read(instructions);
  if (text === undefined) return undefined;
  return { instructions: text, metadata: (await files.read(joinName(folder, METADATA))) ?? null };
}

async function firstManifest(root: NativePath, files: RootFiles): Promise<CapabilityTextFile | undefined> {
  for (const name of MANIFESTS) {
    const file = await files.read(joinName(root, name));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** One manifest for each directory that has any, by the order of preference. */
function manifestsAmong(paths: readonly string[]): string[] {
  const chosen = new Map<string, string>();
  for (const name of MANIFESTS) {
    for (const path of paths) {
      const directory = path.endsWith(`/${name}`) ? path.slice(0, -name.length) : undefined;
      if (directory !== undefined && !chosen.has(directory)) chosen.set(directory, path);
    }
  }
  return [...chosen.values()].sort(byCodeUnits);
}

async function readAll<T>(
  paths: readonly string[],
  readOne: (path: string) => Promise<T | undefined>,
): Promise<T[]> {
  const results: (T | undefined)[] = [];
  await forEachBounded([...paths.entries()], FILES_AT_ONCE, async ([index, path]) => {
    results[index] = await readOne(path);
  });
  return results.filter((result) => result !== undefined);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
