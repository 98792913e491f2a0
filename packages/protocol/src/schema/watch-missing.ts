// Being told once that something may have appeared where a client found nothing, so that it need not look again.
import { Type } from '@sinclair/typebox';
import { named, optional, PathText, U64 } from './primitives.js';
import { OptionalSandbox } from './sandbox-context.js';

export const FsWatchMissingParams = named(
  'FsWatchMissingParams',
  Type.Object({
    /** Rises with every watch of a connection; a newer watch takes the place of the one before. */
    watchId: U64,
    missing: Type.Array(PathText),
    /** An entry that is there: its change or end counts too. */
    present: optional(PathText),
    sandbox: OptionalSandbox,
  }),
);

/** False: the state is another one than the client believes, or it cannot be watched. */
export const FsWatchMissingResult = named('FsWatchMissingResult', Type.Object({ watching: Type.Boolean() }));

export const FsMissingChangedNotification = named(
  'FsMissingChangedNotification',
  Type.Object({ watchId: U64 }),
);
