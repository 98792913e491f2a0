// Checks the options of `client.fs` at run time.

import {
  abortSignal,
  callback,
  count,
  flag,
  type OptionRules,
  show,
  type ValueRule,
} from '@codex/exec-protocol/options';
import { checkOptions } from '../options/check-options.js';
import { sandbox } from '../options/value-rules.js';
import type { ReadRange } from './file-reader.js';
import type { WriteOptions } from './file-writer.js';
import type { FsOptions } from './fs-context.js';
import type { TransferOptions } from './tree/transfer-options.js';
import type { WalkOptions } from './walk.js';
import type { WatchOptions } from './watch.js';

const COMMON = { sandbox, signal: abortSignal } as const satisfies Record<keyof FsOptions, ValueRule>;
const PLAIN = { values: COMMON } as const;
const RECURSIVE = { values: { ...COMMON, recursive: flag } } as const;

const patterns: ValueRule = (value) =>
  Array.isArray(value) && value.every((pattern) => typeof pattern === 'string')
    ? undefined
    : `is a list of patterns, not ${show(value)}`;
const TRANSFER = {
  values: { ...COMMON, exclude: patterns } satisfies Record<keyof TransferOptions, ValueRule>,
  otherNames: { ignore: 'exclude', excludes: 'exclude', filter: 'exclude' },
} as const;

const RULES = {
  readText: { values: COMMON, otherNames: { encoding: 'readBytes, and a TextDecoder' } },
  readBytes: PLAIN,
  readStream: {
    values: { ...COMMON, start: count, end: count } satisfies Record<
      keyof (FsOptions & ReadRange),
      ValueRule
    >,
    otherNames: { offset: 'start', length: 'end' },
  },
  write: {
    values: {
      ...COMMON,
      parents: flag,
      atomic: flag,
      append: flag,
      exclusive: flag,
    } satisfies Record<keyof WriteOptions, ValueRule>,
    otherNames: { recursive: 'parents', mkdir: 'parents', overwrite: 'exclusive', flag: 'append' },
  },
  list: PLAIN,
  walk: {
    values: {
      ...COMMON,
      maxDepth: count,
      maxEntries: count,
      followDirectoryLinks: flag,
      skipHidden: flag,
      onError: callback,
    } satisfies Record<keyof WalkOptions, ValueRule>,
    otherNames: { depth: 'maxDepth', limit: 'maxEntries', followLinks: 'followDirectoryLinks' },
  },
  stat: PLAIN,
  exists: PLAIN,
  realpath: PLAIN,
  mkdir: { ...RECURSIVE, otherNames: { parents: 'recursive' } },
  remove: { values: { ...RECURSIVE.values, force: flag } },
  copy: RECURSIVE,
  move: { values: { ...COMMON, overwrite: flag }, otherNames: { force: 'overwrite' } },
  watch: RECURSIVE satisfies { values: Record<keyof WatchOptions, ValueRule> },
  upload: TRANSFER,
  prepareUpload: PLAIN,
  download: TRANSFER,
} as const satisfies Record<string, Omit<OptionRules, 'of'>>;

export function checkFileOptions(call: keyof typeof RULES, options: object): void {
  checkOptions(options, { of: `fs.${call}`, ...RULES[call] });
}
