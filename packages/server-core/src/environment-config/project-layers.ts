// The configuration that a project brings along. A repository can name programs to run, so it is read only where the
// user has declared the project trusted.
import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { TomlTable } from 'smol-toml';
import { type ConfigFile, readConfigFile } from './codex-config-file.js';
import { isTable } from './toml-projection.js';

export interface ProjectOptions {
  readonly cwd: string;
  readonly codexHome: string;
  /** Documents that may declare trust, a later one standing over an earlier one. */
  readonly trustedBy: readonly TomlTable[];
}

/** From the root of the project down to the working directory. */
export async function projectLayers(options: ProjectOptions): Promise<ConfigFile[]> {
  const root = await projectRoot(options.cwd);
  const layers: ConfigFile[] = [];
  for (const directory of between(root, options.cwd)) {
    const folder = join(directory, '.codex');
    if (folder === options.codexHome || !isTrusted(directory, root, options.trustedBy)) continue;
    const file = await readConfigFile(join(folder, 'config.toml'));
    if (file !== undefined) layers.push(file);
  }
  return layers;
}

/** The nearest directory with a git repository, else the working directory itself. */
async function projectRoot(cwd: string): Promise<string> {
  for (let directory = cwd; ; directory = dirname(directory)) {
    if (await isRepository(join(directory, '.git'))) return directory;
    if (directory === dirname(directory)) return cwd;
  }
}

/** A worktree and a submodule have a file there. */
async function isRepository(git: string): Promise<boolean> {
  const found = await stat(git).catch(() => undefined);
  if (found === undefined || found.isFile()) return found !== undefined;
  return (await stat(join(git, 'HEAD')).catch(() => undefined)) !== undefined;
}

function between(root: string, cwd: string): string[] {
  const names = relative(root, cwd).split(sep).filter(Boolean);
  return [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
}

function isTrusted(directory: string, root: string, documents: readonly TomlTable[]): boolean {
  return (levelOf(directory, documents) ?? levelOf(root, documents)) === 'trusted';
}

function levelOf(directory: string, documents: readonly TomlTable[]): string | undefined {
  for (const document of documents.toReversed()) {
    const projects = member(document, 'projects');
    const project = isTable(projects) ? member(projects, directory) : undefined;
    const level = isTable(project) ? member(project, 'trust_level') : undefined;
    if (typeof level === 'string') return level;
  }
  return undefined;
}

function member(table: TomlTable, key: string) {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
