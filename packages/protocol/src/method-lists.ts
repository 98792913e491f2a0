// Lists that are derived from the method table once.
import { METHODS, type MethodCapability } from './methods.js';
import type { PayloadMembers } from './wire/payload-request.js';

/** The methods whose long payload is decoded from the received bytes, with the member that holds it. */
export const PAYLOAD_MEMBERS: PayloadMembers = new Map(
  Object.entries(METHODS).flatMap(([method, info]): [string, string][] =>
    'payload' in info ? [[method, info.payload]] : [],
  ),
);

export const METHOD_CAPABILITIES: readonly MethodCapability[] = [
  ...new Set(Object.values(METHODS).flatMap((info) => ('capability' in info ? [info.capability] : []))),
];
