// The JSON-RPC-like frame around every message. `parseMessage` checks it by hand; these schemas document it.
import { Type } from '@sinclair/typebox';
import { I64, named, optional, refTo } from './primitives.js';

export const TraceContext = named(
  'TraceContext',
  Type.Object({ traceparent: optional(Type.String()), tracestate: optional(Type.String()) }),
);

export const WireError = named(
  'WireError',
  Type.Object({ code: I64, message: Type.String(), data: Type.Optional(Type.Unknown()) }),
);

/** A string or a signed 64-bit integer, echoed exactly. */
const id = Type.Unsafe<string | number>({ type: ['string', 'integer'] });

export const RequestMessage = named(
  'RequestMessage',
  Type.Object({
    id,
    method: Type.String(),
    params: Type.Optional(Type.Unknown()),
    trace: optional(refTo(TraceContext)),
  }),
);

export const NotificationMessage = named(
  'NotificationMessage',
  Type.Object({ method: Type.String(), params: Type.Optional(Type.Unknown()) }),
);

export const ResponseMessage = named('ResponseMessage', Type.Object({ id, result: Type.Unknown() }));

export const ErrorMessage = named('ErrorMessage', Type.Object({ error: refTo(WireError), id }));
