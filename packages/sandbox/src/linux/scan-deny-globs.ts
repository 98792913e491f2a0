// Finds what the deny globs match at this moment. A snapshot: a file that appears later is not covered by the mounts.
import { type Dirent, readdirSync } from 'node:fs';
import { SandboxError } from '../errors.js';
import { globMatcher, hasGlobCharacters, staticGlobPrefix } from '../policy/glob-pattern.js';
import { isWithin, joinPath } from '../policy/path-text.js';

export interface GlobScanOptions {
  readonly maxDepth?: number | undefined;
  /** More matches than this are refused: each one costs a mount. */
  readonly maxMatches?: number;
}

const defaultMaxMatches = 8192;
/** How long the scan may hold the event loop at a stretch, in milliseconds. */
const sliceMs = 5;

export async function scanDenyGlobs(
  patterns: readonly string[],
  options: GlobScanOptions = {},
): Promise<string[]> {
  const maxMatches = options.maxMatches ?? defaultMaxMatches;
  const matches = new Set<string>();
  for (const [directory, group] of groupByPrefix(patterns)) {
    const denies = group.map(globMatcher);
    const pending: { path: string; depth: number }[] = [{ path: directory, depth: 1 }];
    let sliceEnd = performance.now() + sliceMs;
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      for (const entry of listDirectory(next.path)) {
        const path = joinPath(next.path, entry.name);
        if (denies.some((matchesGlob) => matchesGlob(path))) matches.add(path);
        else if (entry.isDirectory() && (options.maxDepth === undefined || next.depth < options.maxDepth)) {
          pending.push({ path, depth: next.depth + 1 });
        }
      }
      if (matches.size > maxMatches) throw tooMany(group, maxMatches);
      if (performance.now() > sliceEnd) {
        await new Promise((resolve) => setImmediate(resolve));
        sliceEnd = performance.now() + sliceMs;
      }
    }
  }
  return [...matches].sort();
}

/** One walk per directory tree: patterns below another pattern's directory join its walk. */
function groupByPrefix(patterns: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  const withPrefix = patterns.map((pattern) => ({ pattern, prefix: scanDirectory(pattern) }));
  withPrefix.sort((left, right) => left.prefix.length - right.prefix.length);
  for (const { pattern, prefix } of withPrefix) {
    const home = [...groups.keys()].find((known) => isWithin(prefix, known)) ?? prefix;
    groups.set(home, [...(groups.get(home) ?? []), pattern]);
  }
  return groups;
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

function listDirectory(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new SandboxError(
      'SANDBOX_PREPARE_FAILED',
      `cannot search ${path} for denied files: ${code ?? String(error)}`,
      {
        cause: error,
      },
    );
  }
}

function tooMany(group: readonly string[], maxMatches: number): SandboxError {
  return new SandboxError(
    'SANDBOX_POLICY_UNENFORCEABLE',
    `the deny globs ${group.join(', ')} match more than ${maxMatches} paths; deny their directory instead`,
  );
}
