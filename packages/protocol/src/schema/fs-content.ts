// File contents: whole files, and blocks of an open handle.
import { Type } from '@sinclair/typebox';
import { Base64, Bound64, named, optional, PathText, stringEnum, U32, U64 } from './primitives.js';
import { OptionalSandbox } from './sandbox-context.js';

const followSymlinks = optional(Type.Boolean());

export const FsReadFileParams = named(
  'FsReadFileParams',
  Type.Object({ path: PathText, followSymlinks, sandbox: OptionalSandbox }),
);

export const FsReadFileResult = named('FsReadFileResult', Type.Object({ dataBase64: Base64 }));

export const FsWriteFileParams = named(
  'FsWriteFileParams',
  Type.Object({
    path: PathText,
    dataBase64: Base64,
    followSymlinks,
    /** Replace the file in one step: readers see the old or the new contents. */
    atomic: optional(Type.Boolean()),
    append: optional(Type.Boolean()),
    /** Fail when the file exists. */
    exclusive: optional(Type.Boolean()),
    /** Permission bits of a file that is created. */
    mode: optional(U32),
    sandbox: OptionalSandbox,
  }),
);

export const FsOpenParams = named(
  'FsOpenParams',
  Type.Object({
    handleId: Type.String(),
    path: PathText,
    /** `replace` creates or truncates the file for `fs/writeBlock`. */
    mode: optional(stringEnum(['read', 'replace'])),
    sandbox: OptionalSandbox,
  }),
);

export const FsOpenResult = named('FsOpenResult', Type.Object({ handleId: Type.String() }));

export const FsReadBlockParams = named(
  'FsReadBlockParams',
  Type.Object({ handleId: Type.String(), offset: U64, len: Bound64 }),
);

export const FsReadBlockResult = named(
  'FsReadBlockResult',
  Type.Object({ chunk: Base64, eof: Type.Boolean() }),
);

export const FsWriteBlockParams = named(
  'FsWriteBlockParams',
  Type.Object({ handleId: Type.String(), offset: U64, chunk: Base64 }),
);

export const FsCloseParams = named('FsCloseParams', Type.Object({ handleId: Type.String() }));
