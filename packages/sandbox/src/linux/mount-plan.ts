// What the sandbox's view of the disk is made of, in the order it has to be mounted (parents before children).
import type { FileIdentity } from '@codex/launcher';
import { isWithin } from '../policy/path-text.js';
import type { CrossedLink } from './locate/path-inspector.js';

export type MountStep =
  /** `bind` is writable: a granted root, or a directory that is mounted on itself so that it cannot be renamed. */
  | BindStep
  /** An empty directory that cannot be listed; passable when something below it is visible. */
  | { readonly type: 'hideDirectory'; readonly path: string; readonly passable: boolean }
  | { readonly type: 'hideFile'; readonly path: string }
  /**
   * Covers a name that is not on the host, or an empty directory, so that nothing can be created; needs a mount point.
   */
  | { readonly type: 'coverMissing'; readonly path: string; readonly listable: boolean }
  /** A link that leads to something visible, in a directory that is not. */
  | { readonly type: 'symlink'; readonly path: string; readonly target: string };

export interface BindStep {
  readonly type: 'bind' | 'readOnlyBind';
  readonly path: string;
  /** What was found there when the plan was made. */
  readonly identity?: FileIdentity;
}

export interface MountPlan {
  /** What everything without a step of its own is. */
  readonly base: 'readOnly' | 'writable' | 'empty';
  readonly steps: readonly MountStep[];
  /** Links with a protected name. Nothing can be mounted on a link, so these are checked and put back afterwards. */
  readonly guardedLinks: readonly CrossedLink[];
  /** Protected names that another user has taken, where all users may make names. */
  readonly unclaimable: readonly string[];
  /** Missing paths that must not be left behind by the command. */
  readonly removedAfterwards: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Those that protect something: all but links, which are no mounts, and what is writable with nothing protected below it. A writable
 * directory above what is protected is one of them: it keeps the name that leads there.
 */
export function keptMountPoints(steps: readonly MountStep[]): string[] {
  const kept: string[] = [];
  let nextProtecting: string | undefined;
  // Tree order: what is below a directory follows it directly.
  for (const { type, path } of steps.toReversed()) {
    if (type === 'symlink') continue;
    if (type !== 'bind') nextProtecting = path;
    else if (nextProtecting === undefined || !isWithin(nextProtecting, path)) continue;
    kept.push(path);
  }
  return kept.reverse();
}
