// Reading a process' output and feeding its input.
import { Type } from '@sinclair/typebox';
import {
  Base64,
  Bound64,
  I32,
  named,
  nullable,
  optional,
  refTo,
  stringEnum,
  U16,
  U64,
} from '../primitives.js';

export const OutputStream = stringEnum(['stdout', 'stderr', 'pty']);

export const ProcessReadParams = named(
  'ProcessReadParams',
  Type.Object({
    processId: Type.String(),
    afterSeq: optional(Bound64),
    maxBytes: optional(Bound64),
    waitMs: optional(Bound64),
  }),
);

export const OutputChunk = named(
  'OutputChunk',
  Type.Object({ seq: U64, stream: OutputStream, chunk: Base64 }),
);

/**
 * Why a sandboxed command counts as denied: one line of its output and what that line says. A guess, like `sandboxDenied`,
 * with which it comes. `path` is the one that `line` complains about; `line` is empty for a signal.
 */
export const SandboxDenial = named(
  'SandboxDenial',
  Type.Object({
    reason: stringEnum([
      'operation_not_permitted',
      'permission_denied',
      'read_only_file_system',
      'network_denied',
      'policy_denied',
      'failed_to_write_file',
      'sigsys',
    ]),
    line: Type.String(),
    path: optional(Type.String()),
  }),
);

/**
 * Why the server ended a sandboxed command: somebody outside removed, replaced or moved what its sandbox covers at `path` in the workspace or elsewhere,
 * and the kernel took the cover away.
 */
export const SandboxStop = named(
  'SandboxStop',
  Type.Object({ reason: stringEnum(['protection_lost']), path: Type.String() }),
);

/** Output that was dropped before it could be read: what is missing, never silently. */
export const OmittedOutput = named('OmittedOutput', Type.Object({ fromSeq: U64, toSeq: U64, bytes: U64 }));

export const ProcessReadResult = named(
  'ProcessReadResult',
  Type.Object({
    chunks: Type.Array(refTo(OutputChunk)),
    nextSeq: U64,
    exited: Type.Boolean(),
    exitCode: nullable(I32),
    closed: Type.Boolean(),
    failure: nullable(Type.String()),
    sandboxDenied: optional(Type.Boolean()),
    denial: optional(refTo(SandboxDenial)),
    stopped: optional(refTo(SandboxStop)),
    omitted: optional(refTo(OmittedOutput)),
  }),
);

export const ProcessWriteParams = named(
  'ProcessWriteParams',
  Type.Object({ processId: Type.String(), chunk: Base64, writeId: optional(Type.String()) }),
);

export const ProcessWriteResult = named(
  'ProcessWriteResult',
  Type.Object({ status: stringEnum(['accepted', 'unknownProcess', 'stdinClosed', 'starting']) }),
);

export const ProcessCloseStdinParams = named(
  'ProcessCloseStdinParams',
  Type.Object({ processId: Type.String() }),
);

export const ProcessResizeParams = named(
  'ProcessResizeParams',
  Type.Object({ processId: Type.String(), rows: U16, cols: U16 }),
);
