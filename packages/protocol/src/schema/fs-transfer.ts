// Whole trees in few messages: many entries, and the contents of their files behind each other as one payload.
import { Type } from '@sinclair/typebox';
import {
  Base64,
  I64,
  named,
  nullable,
  optional,
  PathText,
  refTo,
  stringEnum,
  U32,
  U64,
} from './primitives.js';
import { OptionalSandbox } from './sandbox-context.js';

export const TreeEntry = named(
  'TreeEntry',
  Type.Object({
    path: Type.String({
      description:
        'relative to the root, names joined by `/`; empty for the root itself, which may be a file',
    }),
    kind: stringEnum(['directory', 'file', 'link']),
    mode: Type.Optional(U32),
    modifiedAtMs: Type.Optional(I64),
    target: Type.Optional(Type.String({ description: 'of a link' })),
    size: Type.Optional(U64),
    offset: Type.Optional(U64),
    length: Type.Optional(U64),
    partial: Type.Optional(
      Type.String({
        description: 'of a file that is written: it is called `.PARTIAL.part` until it is whole',
      }),
    ),
    file: Type.Optional(
      Type.String({
        description: 'of a file that is read by its own path: another one when another file took its place',
      }),
    ),
    version: Type.Optional(
      Type.String({ description: 'of a file that is read by its own path: another one when it was changed' }),
    ),
  }),
);

export const FsWriteTreeParams = named(
  'FsWriteTreeParams',
  Type.Object({
    path: PathText,
    entries: Type.Array(refTo(TreeEntry)),
    /** The bytes of the files among the entries, `length` of each, in their order. */
    dataBase64: Base64,
    sandbox: OptionalSandbox,
  }),
);

/** A place in a tree: behind that entry, or within the file at `offset`. */
export const TreeCursor = named('TreeCursor', Type.Object({ path: Type.String(), offset: U64 }));

export const FsReadTreeParams = named(
  'FsReadTreeParams',
  Type.Object({
    path: PathText,
    exclude: optional(Type.Array(Type.String())),
    after: optional(refTo(TreeCursor)),
    /** The answer ends when it has about so much, each entry counted as 128 bytes. It has one entry at least, and at most 2 MiB. */
    enoughBytes: optional(U32),
    sandbox: OptionalSandbox,
  }),
);

export const SkippedTreeEntry = named(
  'SkippedTreeEntry',
  Type.Object({
    path: Type.String(),
    why: stringEnum(['notAFile', 'linkLeadsOut', 'denied', 'nameIsNotText', 'tooDeep']),
  }),
);

export const FsReadTreeResult = named(
  'FsReadTreeResult',
  Type.Object({
    entries: Type.Array(refTo(TreeEntry)),
    skipped: Type.Array(refTo(SkippedTreeEntry)),
    /** Where the next request goes on; null at the end. */
    next: nullable(refTo(TreeCursor)),
    dataBase64: Base64,
  }),
);
