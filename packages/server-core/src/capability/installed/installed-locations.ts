// Where the user of this machine has skills and plugins: fixed folders for skills, and the plugin cache of Codex with
// one folder for each marketplace, plugin and version.
import type { FileSystem } from '@codex/exec-files';
import { isErrno, otherError } from '@codex/exec-files';
import { MAX_ROOTS } from '../discovery-limits.js';
import { newestVersion } from './plugin-versions.js';
import { isRecord } from './skill-text.js';

export interface SkillFolder {
  readonly id: string;
  readonly path: string;
}

export interface PluginFolder {
  /** `name@marketplace` */
  readonly id: string;
  readonly version: string;
  readonly path: string;
  readonly remotePluginId: string | null;
}

export interface InstalledLocations {
  readonly skills: readonly SkillFolder[];
  readonly plugins: readonly PluginFolder[];
  /** False when something could not be looked at. */
  readonly isComplete: boolean;
}

export interface Homes {
  readonly codexHome: string | undefined;
  readonly userHome: string | undefined;
}

const OF_THE_SYSTEM = '/etc/codex/skills';
const REMOTE_INSTALLATION = '.codex-remote-plugin-install.json';
const MAX_INSTALLATION_BYTES = 64 * 1024;
const MAX_NAMES = 10_000;

/** How marketplaces, plugins and versions are called; another folder is none. */
const isMarketplace = (name: string): boolean => /^[\w-]+$/u.test(name);
const isName = (name: string): boolean => /^[\w.-]+$/u.test(name);
const isVersion = (name: string): boolean => /^[\w.+-]+$/u.test(name);

export async function findInstalledLocations(fs: FileSystem, homes: Homes): Promise<InstalledLocations> {
  const finder = new LocationFinder(fs);
  const { codexHome, userHome } = homes;
  const skills: SkillFolder[] = [];
  const candidates = [
    ...(codexHome === undefined ? [] : [{ id: 'codex-home-skills', path: `${codexHome}/skills` }]),
    ...(userHome === undefined ? [] : [{ id: 'user-agent-skills', path: `${userHome}/.agents/skills` }]),
    { id: 'system-skills', path: OF_THE_SYSTEM },
  ];
  for (const folder of candidates) if (await finder.isFolder(folder.path)) skills.push(folder);
  const plugins = codexHome === undefined ? [] : await finder.plugins(`${codexHome}/plugins/cache`);
  return { skills, plugins, isComplete: finder.isComplete };
}

class LocationFinder {
  isComplete = true;
  readonly #fs: FileSystem;

  constructor(fs: FileSystem) {
    this.#fs = fs;
  }

  isFolder(path: string): Promise<boolean> {
    return this.#try(async () => (await this.#fs.getMetadata(path, {})).isDirectory, false);
  }

  async plugins(cache: string): Promise<PluginFolder[]> {
    const found: PluginFolder[] = [];
    for (const marketplace of (await this.#folders(cache)).filter(isMarketplace)) {
      for (const name of (await this.#folders(`${cache}/${marketplace}`)).filter(isName)) {
        const folder = `${cache}/${marketplace}/${name}`;
        const version = newestVersion((await this.#folders(folder)).filter(isVersion));
        if (version === undefined) continue;
        if (found.length === MAX_ROOTS) {
          this.isComplete = false;
          return sorted(found);
        }
        const remotePluginId = await this.#remoteId(`${folder}/${REMOTE_INSTALLATION}`);
        found.push({ id: `${name}@${marketplace}`, version, path: `${folder}/${version}`, remotePluginId });
      }
    }
    return sorted(found);
  }

  #folders(path: string): Promise<string[]> {
    return this.#try(async () => {
      const entries = await this.#fs.readDirectory(path, MAX_NAMES);
      return entries.filter(({ isDirectory }) => isDirectory).map(({ fileName }) => fileName);
    }, []);
  }

  #remoteId(path: string): Promise<string | null> {
    return this.#try(async () => {
      const bytes = await this.#fs.readFile(path, { maxBytes: MAX_INSTALLATION_BYTES });
      const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
      const id = isRecord(value) && value['schema_version'] === 1 ? value['remote_plugin_id'] : undefined;
      if (typeof id !== 'string' || id.trim() === '') throw otherError('not the metadata of an installation');
      return id;
    }, null);
  }

  /** What is not there is nothing; what cannot be looked at makes the result incomplete. */
  async #try<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await look();
    } catch (error) {
      if (!isErrno(error, 'ENOENT', 'ENOTDIR')) this.isComplete = false;
      return otherwise;
    }
  }
}

function sorted(folders: PluginFolder[]): PluginFolder[] {
  return folders.sort((a, b) => (a.id < b.id ? -1 : 1));
}
