// Files as an observer sees them: read, never changed, under the policy of a process and not one bit beyond it.
import { Type } from '@sinclair/typebox';
import { Base64, Bound64, named, optional, PathText, U64 } from '../primitives.js';

const TARGET = { session: Type.String(), processId: Type.String(), path: PathText };

export const ObserveReadDirectoryParams = named('ObserveReadDirectoryParams', Type.Object(TARGET));

export const ObserveReadFileParams = named(
  'ObserveReadFileParams',
  Type.Object({
    ...TARGET,
    offset: optional(U64),
    /** At most 1 MiB, which is also the default. */
    maxBytes: optional(Bound64),
  }),
);

export const ObserveReadFileResult = named(
  'ObserveReadFileResult',
  Type.Object({ chunk: Base64, size: U64, eof: Type.Boolean() }),
);
