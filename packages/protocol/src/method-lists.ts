// Lists that are derived from the method table once.
import { METHODS, type MethodCapability } from './methods.js';
import type { PayloadMembers } from './wire/payload-request.js';

/** The methods whose parameters hold a payload, with the member that does. */
export const PAYLOAD_MEMBERS: PayloadMembers = new Map(
  Object.entries(METHODS).flatMap(([method, info]): [string, string][] =>
    'payload' in info ? [[method, info.payload]] : [],
  ),
);

/** The methods whose result holds payloads, with their places. */
export const RESULT_PAYLOADS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(METHODS).flatMap(([method, info]): [string, readonly string[]][] =>
    'resultPayloads' in info ? [[method, info.resultPayloads]] : [],
  ),
);

export const METHOD_CAPABILITIES: readonly MethodCapability[] = [
  ...new Set(Object.values(METHODS).flatMap((info) => ('capability' in info ? [info.capability] : []))),
];
