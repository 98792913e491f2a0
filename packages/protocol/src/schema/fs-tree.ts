// Directories, metadata, and moving whole entries.
import { Type } from '@sinclair/typebox';
import { Bound64, I64, named, optional, PathText, refTo, stringEnum, U64 } from './primitives.js';
import { OptionalSandbox } from './sandbox-context.js';

const flag = optional(Type.Boolean());

export const FsCreateDirectoryParams = named(
  'FsCreateDirectoryParams',
  Type.Object({ path: PathText, recursive: flag, followSymlinks: flag, sandbox: OptionalSandbox }),
);

export const FsGetMetadataParams = named(
  'FsGetMetadataParams',
  Type.Object({ path: PathText, followSymlinks: flag, sandbox: OptionalSandbox }),
);

export const FsGetMetadataResult = named(
  'FsGetMetadataResult',
  Type.Object({
    isDirectory: Type.Boolean(),
    isFile: Type.Boolean(),
    isSymlink: Type.Boolean(),
    size: U64,
    createdAtMs: I64,
    modifiedAtMs: I64,
  }),
);

export const FsCanonicalizeParams = named(
  'FsCanonicalizeParams',
  Type.Object({ path: PathText, sandbox: OptionalSandbox }),
);

export const FsCanonicalizeResult = named('FsCanonicalizeResult', Type.Object({ path: PathText }));

export const FsReadDirectoryParams = named(
  'FsReadDirectoryParams',
  Type.Object({ path: PathText, sandbox: OptionalSandbox }),
);

export const DirectoryEntry = named(
  'DirectoryEntry',
  Type.Object({ fileName: Type.String(), isDirectory: Type.Boolean(), isFile: Type.Boolean() }),
);

export const FsReadDirectoryResult = named(
  'FsReadDirectoryResult',
  Type.Object({ entries: Type.Array(refTo(DirectoryEntry)) }),
);

export const WalkOptions = named(
  'WalkOptions',
  Type.Object({
    maxDepth: Bound64,
    maxDirectories: Bound64,
    maxEntries: Bound64,
    followDirectorySymlinks: Type.Boolean(),
    pruneHiddenDirectories: flag,
  }),
);

export const FsWalkParams = named(
  'FsWalkParams',
  Type.Object({ path: PathText, options: refTo(WalkOptions), sandbox: OptionalSandbox }),
);

export const WalkEntry = named(
  'WalkEntry',
  Type.Object({ path: PathText, kind: stringEnum(['directory', 'file']) }),
);

export const WalkError = named('WalkError', Type.Object({ path: PathText, message: Type.String() }));

export const FsWalkResult = named(
  'FsWalkResult',
  Type.Object({
    entries: Type.Array(refTo(WalkEntry)),
    errors: Type.Array(refTo(WalkError)),
    truncated: Type.Boolean(),
  }),
);

export const FsRemoveParams = named(
  'FsRemoveParams',
  Type.Object({
    path: PathText,
    recursive: flag,
    force: flag,
    followSymlinks: flag,
    sandbox: OptionalSandbox,
  }),
);

export const FsCopyParams = named(
  'FsCopyParams',
  Type.Object({
    sourcePath: PathText,
    destinationPath: PathText,
    recursive: Type.Boolean(),
    sandbox: OptionalSandbox,
  }),
);

export const FsRenameParams = named(
  'FsRenameParams',
  Type.Object({
    sourcePath: PathText,
    destinationPath: PathText,
    /** False fails when the destination exists; the default replaces it, as rename(2) does. */
    overwrite: flag,
    sandbox: OptionalSandbox,
  }),
);
