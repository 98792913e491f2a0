// A directory tree, breadth first. What the server could not list or left out is an error at the end, not silence.

import { MAX_WALK_DEPTH, MAX_WALK_DIRECTORIES, MAX_WALK_ENTRIES, type ResultOf } from '@codex/exec-protocol';
import { ExecServerError } from '../exec-server-error.js';
import { baseName, fromFileUri } from '../remote-path.js';
import type { FsContext, FsOptions } from './fs-context.js';

export interface WalkEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

export interface WalkOptions extends FsOptions {
  /** 0 is only what is directly in the directory. Default 64, the most there is. */
  readonly maxDepth?: number;
  /** Stops there without an error. Default: everything, up to the server's limit of 50000. */
  readonly maxEntries?: number;
  readonly followDirectoryLinks?: boolean;
  /** Do not enter directories whose names start with a dot. */
  readonly skipHidden?: boolean;
  /** Takes what could not be listed; without it the walk ends with `fs.incomplete`. */
  readonly onError?: (error: { readonly path: string; readonly message: string }) => void;
}

export async function* walkTree(
  fs: FsContext,
  path: string,
  options: WalkOptions,
): AsyncGenerator<WalkEntry, void, undefined> {
  const { maxEntries = Number.POSITIVE_INFINITY, onError } = options;
  let listing = await askForTree(fs, path, options);
  // Some servers count entries that they do not list: fewer than asked for is not the end.
  if (listing.truncated && listing.entries.length < maxEntries && options.maxEntries !== undefined) {
    const { maxEntries: _, ...unlimited } = options;
    listing = await askForTree(fs, path, unlimited);
  }
  const { entries, errors, truncated } = listing;
  for (const entry of entries.slice(0, maxEntries)) {
    const entryPath = fromFileUri(entry.path);
    yield { name: baseName(entryPath), path: entryPath, kind: entry.kind };
  }
  for (const error of errors) onError?.({ path: fromFileUri(error.path), message: error.message });
  const isCut = truncated && entries.length < maxEntries;
  if (isCut || (errors.length > 0 && onError === undefined)) throw incomplete(path, errors.length, truncated);
}

function askForTree(fs: FsContext, path: string, options: WalkOptions): Promise<ResultOf<'fs/walk'>> {
  const limits = {
    maxDepth: options.maxDepth ?? MAX_WALK_DEPTH,
    maxEntries: Math.min(options.maxEntries ?? MAX_WALK_ENTRIES, MAX_WALK_ENTRIES),
    maxDirectories: MAX_WALK_DIRECTORIES,
    followDirectorySymlinks: options.followDirectoryLinks ?? false,
    pruneHiddenDirectories: options.skipHidden ?? false,
  };
  const params = { path: fs.uri(path), options: limits, ...fs.sandboxOf(options) };
  return fs.call('fs/walk', params, { path, signal: options.signal, repeatable: true });
}

function incomplete(path: string, unread: number, truncated: boolean): ExecServerError<'fs.incomplete'> {
  const why = truncated ? 'the server lists no more at once' : `${unread} entries could not be read`;
  return new ExecServerError('fs.incomplete', `${path} was not listed completely: ${why}`, {
    details: { path, unread },
    hint: truncated ? 'Walk its subdirectories one by one.' : 'Pass onError to go on without them.',
  });
}
