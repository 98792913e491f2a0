// Keeps the mounts for deny globs below what bubblewrap takes. When there are too many, what lies deepest is denied
// together with the directory above it, level by level.
import { parentPath, pathComponents } from '../../policy/path-text.js';

/** Matches and the directories above them, each of which is a mount of three arguments; bubblewrap stops at 9000. */
const maxMounts = 2400;

export interface MatchBounds {
  /** What was searched. */
  readonly directory: string;
  mayDeny(path: string): boolean;
}

export interface BoundedMatches {
  readonly paths: readonly string[];
  readonly warnings: readonly string[];
}

/** Undefined when there are too many although everything that may be is denied as a whole. */
export function boundMatches(
  matches: ReadonlySet<string>,
  { directory, mayDeny }: MatchBounds,
): BoundedMatches | undefined {
  const top = pathComponents(directory).length;
  const depthOf = (path: string): number => pathComponents(path).length;
  let paths = new Set(matches);
  let deepest = top;
  // As arguments of one call they would be too many for the stack.
  for (const path of paths) deepest = Math.max(deepest, depthOf(path));
  const warnings: string[] = [];
  while (countMounts(paths, directory) > maxMounts) {
    deepest -= 1;
    if (deepest <= top) return undefined;
    const raised = [...paths].map((path) => {
      const parent = parentPath(path);
      return depthOf(path) > deepest && mayDeny(parent) ? parent : path;
    });
    paths = new Set(raised);
    if (warnings.length === 0) {
      warnings.push(`the deny globs match so much below ${directory} that whole directories are denied`);
    }
  }
  return { paths: [...paths], warnings };
}

function countMounts(paths: ReadonlySet<string>, directory: string): number {
  const all = new Set(paths);
  for (const path of paths) {
    for (let at = parentPath(path); at !== directory && at !== '/' && !all.has(at); at = parentPath(at)) {
      all.add(at);
      if (all.size > maxMounts) return all.size;
    }
  }
  return all.size;
}
