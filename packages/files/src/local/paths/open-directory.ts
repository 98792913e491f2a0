// A directory held open, whose entries are reached through the descriptor and not through its path: on Linux
// `/proc/self/fd/N/name` resolves in the directory that is open, whatever happens to the path meanwhile.
// Elsewhere entries are reached by path, so a directory on the way that is swapped for a link is followed there.
import * as fs from 'node:fs';
import { invalidInput, otherError } from '../../fs-error.js';
import { componentsOf, joinName, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants;

// Not among Node's constants. The same number on every Linux architecture that Node supports.
const O_PATH = 0o10000000;

export const hasDescriptorPaths = process.platform === 'linux' && fs.existsSync('/proc/self/fd');

export class OpenDirectory {
  readonly #calls: FileCalls;
  readonly #fd: number;
  readonly #path: NativePath;
  /** Modes that new files get here as they are asked for: neither the umask nor an access list takes bits of them. */
  readonly exactModes = new Set<number>();

  private constructor(calls: FileCalls, fd: number, path: NativePath) {
    this.#calls = calls;
    this.#fd = fd;
    this.#path = path;
  }

  /** `access` search needs no read permission and cannot be listed. Follows links in `path`. */
  static async open(calls: FileCalls, path: NativePath, access: 'list' | 'search'): Promise<OpenDirectory> {
    return new OpenDirectory(calls, await calls.open(path, O_DIRECTORY | accessFlag(access)), path);
  }

  /**
   * The same, without following a link at the end, where it may be done on the event loop; `path` is where the directory lies,
   * `place` the way to it. Undefined: the long way has to be taken.
   */
  static openQuickly(
    calls: FileCalls,
    { path, place, access }: { path: NativePath; place: NativePath; access: 'list' | 'search' },
  ): OpenDirectory | undefined {
    const flags = O_DIRECTORY | O_NOFOLLOW | accessFlag(access);
    const fd = calls.sync.run(path, () => fs.openSync(place, flags));
    return fd === undefined ? undefined : new OpenDirectory(calls, fd, place);
  }

  /** Opens a directory in this one; a symbolic link of that name is refused with ENOTDIR. */
  async openChild(name: NativePath, access: 'list' | 'search'): Promise<OpenDirectory> {
    const path = this.entry(name);
    const fd = await this.#calls.open(path, O_DIRECTORY | O_NOFOLLOW | accessFlag(access));
    return new OpenDirectory(this.#calls, fd, hasDescriptorPaths ? name : path);
  }

  entry(name: NativePath): NativePath {
    return joinName(this.self, name);
  }

  /** A path to the directory itself, for listing. */
  get self(): NativePath {
    return hasDescriptorPaths ? `/proc/self/fd/${this.#fd}` : this.#path;
  }

  get fd(): number {
    return this.#fd;
  }

  async close(): Promise<void> {
    if (!this.#calls.sync.closeDirectory(this.#fd)) await this.#calls.close(this.#fd);
  }
}

function accessFlag(access: 'list' | 'search'): number {
  return access === 'search' && hasDescriptorPaths ? O_PATH : O_RDONLY;
}

/**
 * Opens the directory at `names` below the root, one component at a time, refusing a symbolic link anywhere.
 * What it does not stop: a directory that is moved elsewhere while it is open stays open, and so does a bind mount.
 */
export async function openDirectoryNoFollow(
  calls: FileCalls,
  names: readonly NativePath[],
): Promise<OpenDirectory> {
  if (!hasDescriptorPaths) throw otherError('followSymlinks: false needs /proc on this executor');
  let directory = await OpenDirectory.open(calls, '/', 'search');
  for (const name of names) {
    const parent = directory;
    try {
      directory = await parent.openChild(name, 'search');
    } finally {
      await parent.close();
    }
  }
  return directory;
}

/** The components of a path that holds no `..`, which a no-follow walk could not honour. */
export function noFollowComponents(path: NativePath): NativePath[] {
  const names = componentsOf(path);
  if (names.includes('..')) throw invalidInput('no-follow filesystem operations require a normalized path');
  return names;
}
