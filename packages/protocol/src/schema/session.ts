// The handshake: `initialize`, then the `initialized` notification.
import { Type } from '@sinclair/typebox';
import { EnvironmentInfo } from './environment.js';
import { Grant } from './observe/observe.js';
import { Bound64, named, optional, refTo, stringEnum } from './primitives.js';

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
    /** An observer opens no session: it watches those of others. */
    role: optional(stringEnum(['owner', 'observer'])),
    /** Also send `session/observed` and `session/intervention`. */
    interventions: optional(Type.Boolean()),
    /** Payloads travel as raw bytes, both ways, where the answer announces `binaryPayloads`. */
    binaryPayloads: optional(Type.Boolean()),
  }),
);

export const InitializeResult = named(
  'InitializeResult',
  Type.Object({
    /** Empty for an observer. */
    sessionId: Type.String(),
    environmentInfo: optional(refTo(EnvironmentInfo)),
    /** To an observer: what it may do. */
    grants: optional(Type.Array(refTo(Grant))),
    /** To a page that came with a ticket: what opens its next connection, once. */
    reconnectToken: optional(Type.String()),
  }),
);
