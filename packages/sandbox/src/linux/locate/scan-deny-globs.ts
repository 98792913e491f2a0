// Finds what the deny globs match at this moment. A snapshot: a file that appears later is not covered by the mounts.
// What cannot be searched is denied as a whole directory, because a command could otherwise lock its session out: by
// taking away its own right to look, or by a tree that is too deep or too full. What must stay open for the command to
// run at all is never denied that way.
// What it does not stop: a name that is not UTF-8 cannot be mounted on, so a glob does not deny it.
import { type Dir, opendirSync } from 'node:fs';
import { SandboxError } from '../../errors.js';
import type { GlobAlternative } from '../../policy/glob/glob-alternative.js';
import { compileGlob, hasGlobCharacters, staticGlobPrefix } from '../../policy/glob/glob-pattern.js';
import { isWithin, joinPath, pathComponents } from '../../policy/path-text.js';
import { HeldDirectory } from '../host-changes/held-directory.js';
import { boundMatches } from './bound-matches.js';
import { TimeSlices } from './time-slices.js';

export interface GlobScanOptions {
  readonly maxDepth?: number | undefined;
  /** What may not be denied together with a directory above it: the working directory and what is granted. */
  readonly keepOpen?: readonly string[];
}

export interface GlobScan {
  readonly denied: readonly string[];
  readonly warnings: readonly string[];
}

/** Deeper directories are denied as a whole: each level above a denied file costs a mount. */
const maxLevels = 48;
/** bubblewrap puts a few characters in front of a path, and the kernel takes 4095. */
const maxPathBytes = 3900;
/** So many matches in one directory deny the directory. */
const maxPerDirectory = 256;

export async function scanDenyGlobs(
  patterns: readonly string[],
  options: GlobScanOptions = {},
): Promise<GlobScan> {
  let denied: string[] = [];
  let warnings: string[] = [];
  for (const [directory, group] of groupByPrefix(patterns)) {
    const scan = new DirectoryScan(directory, group, options);
    await scan.run();
    const bounded = boundMatches(scan.matches, { directory, mayDeny: (path) => scan.mayDeny(path) });
    if (bounded === undefined) throw tooMany(group);
    denied = denied.concat(bounded.paths);
    warnings = warnings.concat(scan.warnings, bounded.warnings);
  }
  return { denied: denied.sort(), warnings };
}

/** A pattern with how much of it the path so far has matched. */
type Alive = readonly [GlobAlternative, readonly number[]];

interface Level {
  readonly held: HeldDirectory;
  readonly path: string;
  readonly alive: readonly Alive[];
  /** Directories that are still to be entered. */
  readonly below: { readonly name: string; readonly alive: readonly Alive[] }[];
}

class DirectoryScan {
  readonly matches = new Set<string>();
  readonly warnings: string[] = [];
  readonly #root: string;
  readonly #group: readonly string[];
  readonly #options: GlobScanOptions;
  readonly #slices = new TimeSlices();

  constructor(root: string, group: readonly string[], options: GlobScanOptions) {
    this.#root = root;
    this.#group = group;
    this.#options = options;
  }

  async run(): Promise<void> {
    const held = this.#openRoot();
    if (held === undefined) return;
    const levels: Level[] = [];
    try {
      levels.push({ held, path: this.#root, alive: await this.#start(), below: [] });
      await this.#read(levels[0]);
      while (levels.length > 0) await this.#step(levels);
    } finally {
      for (const level of levels) level.held.close();
    }
  }

  mayDeny(path: string): boolean {
    return !(this.#options.keepOpen ?? []).some((kept) => isWithin(kept, path));
  }

  /** Enters the next directory, or leaves one that is done. */
  async #step(levels: Level[]): Promise<void> {
    const level = levels.at(-1);
    const next = level?.below.pop();
    if (level === undefined || next === undefined) {
      levels.pop()?.held.close();
      return;
    }
    const path = joinPath(level.path, next.name);
    const { maxDepth } = this.#options;
    if (maxDepth !== undefined && levels.length >= maxDepth) return;
    if (levels.length >= maxLevels) return this.#denyWhole(path, 'it is too deep');
    let held: HeldDirectory;
    try {
      held = level.held.child(next.name);
    } catch (error) {
      // Gone, or something else by now.
      if (isOneOf(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return;
      if (isOneOf(error, 'EMFILE', 'ENFILE', 'ENOMEM')) throw cannotSearch(path, error);
      return this.#denyWhole(path, codeOf(error));
    }
    const entered = { held, path, alive: next.alive, below: [] };
    levels.push(entered);
    await this.#read(entered);
  }

  async #read(level: Level | undefined): Promise<void> {
    if (level === undefined) return;
    let listing: Dir;
    try {
      listing = opendirSync(level.held.self, { bufferSize: 128 });
    } catch (error) {
      if (isOneOf(error, 'EMFILE', 'ENFILE', 'ENOMEM')) throw cannotSearch(level.path, error);
      return this.#denyWhole(level.path, codeOf(error));
    }
    const found: string[] = [];
    try {
      for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
        const path = joinPath(level.path, entry.name);
        const alive = await this.#advance(level.alive, entry.name);
        if (alive === 'matched') found.push(path);
        else if (alive.length > 0 && entry.isDirectory()) level.below.push({ name: entry.name, alive });
        const isTooMuch = found.length > maxPerDirectory || Buffer.byteLength(path) > maxPathBytes;
        if (isTooMuch && this.mayDeny(level.path)) {
          level.below.length = 0;
          return this.#denyWhole(level.path, 'it holds too much that is denied, or its names are too long');
        }
        if (this.#slices.isOver) await this.#slices.next();
      }
    } finally {
      listing.closeSync();
    }
    for (const path of found) this.matches.add(path);
  }

  /** Many patterns may be alive, so this too is done in slices. */
  async #advance(alive: readonly Alive[], name: string): Promise<'matched' | readonly Alive[]> {
    const next: Alive[] = [];
    for (const [index, [alternative, positions]] of alive.entries()) {
      const reached = alternative.next(positions, name);
      if (alternative.isComplete(reached)) return 'matched';
      if (reached.length > 0) next.push([alternative, reached]);
      if (index % 64 === 63 && this.#slices.isOver) await this.#slices.next();
    }
    return next;
  }

  async #start(): Promise<readonly Alive[]> {
    const names = pathComponents(this.#root);
    const alive: Alive[] = [];
    for (const pattern of this.#group) {
      for (const alternative of compileGlob(pattern)) {
        const positions = names.reduce((at, name) => alternative.next(at, name), alternative.start());
        if (positions.length > 0) alive.push([alternative, positions]);
      }
      if (this.#slices.isOver) await this.#slices.next();
    }
    return alive;
  }

  #openRoot(): HeldDirectory | undefined {
    try {
      return HeldDirectory.openFollowing(this.#root);
    } catch (error) {
      if (isOneOf(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) return undefined;
      if (!isOneOf(error, 'EACCES', 'ELOOP')) throw cannotSearch(this.#root, error);
      // Not even its place can be found, so nothing can be mounted on it, and this user cannot look into it.
      this.warnings.push(`${this.#root} cannot be searched for denied files: ${codeOf(error)}`);
      return undefined;
    }
  }

  #denyWhole(path: string, why: string): void {
    if (!this.mayDeny(path)) throw cannotSearch(path, why);
    this.matches.add(path);
    this.warnings.push(`${path} cannot be searched for denied files and is denied as a whole: ${why}`);
  }
}

/** One walk per directory tree: patterns below another pattern's directory join its walk. */
function groupByPrefix(patterns: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  const withPrefix = patterns.map((pattern) => ({ pattern, prefix: scanDirectory(pattern) }));
  withPrefix.sort((left, right) => left.prefix.length - right.prefix.length);
  for (const { pattern, prefix } of withPrefix) {
    const group = groups.get(homeOf(prefix, groups));
    if (group === undefined) groups.set(prefix, [pattern]);
    else group.push(pattern);
  }
  return groups;
}

function homeOf(prefix: string, groups: ReadonlyMap<string, unknown>): string {
  for (let at = prefix; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (groups.has(at)) return at;
  return prefix;
}

function scanDirectory(pattern: string): string {
  const prefix = hasGlobCharacters(pattern)
    ? staticGlobPrefix(pattern)
    : pattern.slice(0, pattern.lastIndexOf('/')) || '/';
  if (prefix === '/') {
    throw new SandboxError(
      'SANDBOX_POLICY_UNENFORCEABLE',
      `the deny glob ${pattern} would search the whole disk; begin it with a directory`,
    );
  }
  return prefix;
}

function cannotSearch(path: string, why: unknown): SandboxError {
  return new SandboxError(
    'SANDBOX_PREPARE_FAILED',
    `cannot search ${path} for denied files: ${typeof why === 'string' ? why : codeOf(why)}`,
    typeof why === 'string' ? {} : { cause: why },
  );
}

function tooMany(group: readonly string[]): SandboxError {
  const shown = group.length > 3 ? `${group.slice(0, 3).join(', ')} …` : group.join(', ');
  return new SandboxError(
    'SANDBOX_POLICY_UNENFORCEABLE',
    `the deny globs ${shown} match more than can be mounted on; deny their directory instead`,
  );
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

function isOneOf(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error));
}
