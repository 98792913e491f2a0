// Watching a file or directory. A watch belongs to its connection and ends with it.
import { Type } from '@sinclair/typebox';
import { named, optional, PathText, refTo, stringEnum } from './primitives.js';
import { OptionalSandbox } from './sandbox-context.js';

export const FsWatchParams = named(
  'FsWatchParams',
  Type.Object({
    /** Chosen by the client, as a handle id is. */
    watchId: Type.String(),
    path: PathText,
    recursive: optional(Type.Boolean()),
    sandbox: OptionalSandbox,
  }),
);

export const FsWatchResult = named('FsWatchResult', Type.Object({ watchId: Type.String() }));

export const FsUnwatchParams = named('FsUnwatchParams', Type.Object({ watchId: Type.String() }));

export const FsChange = named(
  'FsChange',
  Type.Object({
    path: PathText,
    kind: stringEnum(['created', 'modified', 'removed', 'renamed']),
    /** With `renamed`: the path that the entry had before. */
    previousPath: optional(PathText),
  }),
);

export const FsChangedNotification = named(
  'FsChangedNotification',
  Type.Object({
    watchId: Type.String(),
    changes: Type.Array(refTo(FsChange)),
    /** Changes were lost: a client that mirrors the tree reads it again. */
    overflow: optional(Type.Boolean()),
  }),
);
