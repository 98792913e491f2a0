// What a watch inside a helper reaches and tells of. A directory is opened first and judged by where it lies; what is
// watched and listed is the opened directory, so a link that is swapped in changes nothing. Every directory of a tree has
// to lie exactly where the tree has it: an entry is then judged by its place in the tree, whatever happens to names.
import { errnoError, isErrno } from '../../fs-error.js';
import { displayPath, type NativePath, toBytes } from '../../native-path.js';
import { type EntryKind, kindOf, type PlanView } from '../../watch/missing-watch-plan.js';
import type { WatchScope } from '../../watch/watch-scope.js';
import { WatchedDirectory } from '../../watch/watched-directory.js';
import type { PolicyGuard } from '../guard/policy-guard.js';

interface Root {
  readonly path: NativePath;
  readonly real: Buffer;
  readonly identity: string;
}

/** The scope of one tree. Its root may be spelled through links; nothing below it may be one. */
export class GuardedScope implements WatchScope {
  readonly #guard: PolicyGuard;
  #root: Root | undefined;

  constructor(guard: PolicyGuard) {
    this.#guard = guard;
  }

  at<T>(directory: WatchedDirectory, act: (path: NativePath) => Promise<T>): Promise<T> {
    const { path, isRoot } = directory;
    return this.#guard.holdingPlace(
      path,
      { followsLink: isRoot },
      ({ real, identity, held, isDirectory }) => {
        if (isRoot) this.#root ??= { path, real: toBytes(real), identity };
        const isTheSame = isRoot ? identity === this.#root?.identity : isDirectory;
        if (!isTheSame || !this.#realOf(path).equals(toBytes(real))) throw errnoError('ENOENT');
        return act(held);
      },
    );
  }

  shows(path: NativePath): boolean {
    return this.#guard.canRead(this.#realOf(path).toString('utf8'));
  }

  /** Whether the root still is where it was, by its real path; a move of a directory above it raises no event. */
  async isInPlace(): Promise<boolean> {
    if (this.#root === undefined) return true;
    const { real, identity } = this.#root;
    try {
      return await this.#guard.holdingPlace(real, { followsLink: false }, async (place) => {
        return toBytes(place.real).equals(real) && place.identity === identity;
      });
    } catch {
      return false;
    }
  }

  #realOf(path: NativePath): Buffer {
    if (this.#root === undefined) return toBytes(path);
    const { path: root, real } = this.#root;
    const below = toBytes(path).subarray(root === '/' ? 0 : toBytes(root).length);
    return Buffer.concat([real.equals(SLASH) && below.length > 0 ? NOTHING : real, below]);
  }
}

const SLASH = Buffer.from('/');
const NOTHING = Buffer.alloc(0);

/**
 * For missing paths. Directories above the granted ones are the sandbox's own and do not change; whether a granted path
 * itself comes or goes is not seen from inside, and the server looks after that.
 */
export function guardedPlan(guard: PolicyGuard): PlanView {
  const look = async (path: NativePath): Promise<EntryKind> => {
    const text = displayPath(path);
    if (guard.canRead(text)) return kindOf(guard.calls, path);
    return guard.leadsToReadable(text) ? 'directory' : 'unknown';
  };
  return {
    look,
    watches: (directory) => guard.canRead(displayPath(directory)),
    at: (directory, act) => new GuardedScope(guard).at(directory, act),
  };
}

/** For a file whose directory is hidden: whether that is so. Rejects where the path leads to nothing readable. */
export async function isDirectoryHidden(guard: PolicyGuard, directory: NativePath): Promise<boolean> {
  try {
    await new GuardedScope(guard).at(new WatchedDirectory(directory), async () => undefined);
    return false;
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EACCES')) return true;
    throw error;
  }
}
