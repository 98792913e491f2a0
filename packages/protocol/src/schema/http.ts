// HTTP requests that the server makes from its own machine, and the body of a response that is streamed.
import { Type } from '@sinclair/typebox';
import { Base64, Bound64, named, optional, refTo, stringEnum, U16, U64 } from './primitives.js';

export const HttpRequestHeader = named(
  'HttpRequestHeader',
  Type.Object({
    name: Type.String(),
    value: Type.String(),
    /** A variable of the server's environment whose value is put behind `value`. */
    valueEnvVar: optional(Type.String()),
  }),
);

export const HttpRequestParams = named(
  'HttpRequestParams',
  Type.Object({
    method: Type.String(),
    url: Type.String(),
    headers: optional(Type.Array(refTo(HttpRequestHeader))),
    bodyBase64: optional(Base64),
    /** For the whole exchange, the body of the response included. Without it there is no limit. */
    timeoutMs: optional(Bound64),
    redirectPolicy: optional(stringEnum(['follow', 'stop'])),
    /** Names the stream in `http/request/bodyDelta`. */
    requestId: Type.String(),
    streamResponse: optional(Type.Boolean()),
  }),
);

export const HttpResponseHeader = named(
  'HttpResponseHeader',
  Type.Object({ name: Type.String(), value: Type.String() }),
);

export const HttpRequestResult = named(
  'HttpRequestResult',
  Type.Object({
    status: U16,
    headers: Type.Array(refTo(HttpResponseHeader)),
    /** Empty when the body is streamed. */
    bodyBase64: Base64,
  }),
);

export const HttpBodyDeltaNotification = named(
  'HttpBodyDeltaNotification',
  Type.Object({
    requestId: Type.String(),
    /** From 1, without gaps. */
    seq: U64,
    deltaBase64: Base64,
    done: Type.Boolean(),
    error: optional(Type.String()),
  }),
);
