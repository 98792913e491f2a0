// What a caller may say about the transfer of a tree, and what it is told of it.

import {
  compileExcludes,
  type Excludes,
  MAX_EXCLUDE_LENGTH,
  MAX_EXCLUDE_PATTERN_LENGTH,
  MAX_EXCLUDE_PATTERNS,
} from '@codex/exec-protocol';
import { invalidArgument } from '../../exec-server-error.js';
import type { SkippedEntry } from '../../platform.js';
import type { FsOptions } from '../fs-context.js';

export interface TransferOptions extends FsOptions {
  /** Patterns like those of a `.gitignore`; what matches is left out, a directory with everything in it. */
  readonly exclude?: readonly string[];
}

export interface TransferSummary {
  readonly files: number;
  readonly bytes: number;
  /** What was left out, and why. Excluded entries are not listed. */
  readonly skipped: readonly SkippedEntry[];
}

export function excludesOf({ exclude = [] }: TransferOptions): Excludes {
  const excludes = compileExcludes(exclude);
  if (excludes !== undefined) return excludes;
  throw invalidArgument(
    'exclude',
    `exclude takes at most ${MAX_EXCLUDE_PATTERNS} patterns of at most ${MAX_EXCLUDE_PATTERN_LENGTH} characters, ` +
      `${MAX_EXCLUDE_LENGTH} in all`,
  );
}
