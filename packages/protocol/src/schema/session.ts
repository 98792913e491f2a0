// The handshake: `initialize`, then the `initialized` notification.
import { Type } from '@sinclair/typebox';
import { EnvironmentInfo } from './environment.js';
import { Bound64, named, optional, refTo } from './primitives.js';

export const InitializeParams = named(
  'InitializeParams',
  Type.Object({
    clientName: Type.String(),
    /** The key being present, even as null, tells the server that this client may come back. */
    resumeSessionId: optional(Type.String()),
    /** How long the session outlives its connection; capped by the server. */
    sessionTtlMs: optional(Bound64),
    /** Also send `process/started` and `process/failed`. */
    lifecycleNotifications: optional(Type.Boolean()),
  }),
);

export const InitializeResult = named(
  'InitializeResult',
  Type.Object({ sessionId: Type.String(), environmentInfo: optional(refTo(EnvironmentInfo)) }),
);
