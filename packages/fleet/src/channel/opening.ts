// What is said before a channel exists: a caller asks for one, a machine answers.

import type { Grant } from '@codex/exec-protocol';
import { isName } from '../naming/subjects.js';
import { decodeTrace, type Trace } from '../spans/open-spans.js';

export const PROTOCOL_VERSION = 1;

/** The client that a gateway speaks for, as the gateway has authenticated it. */
export interface Principal {
  readonly identity: string;
  /** Absent: everything, with sessions of the same identity. */
  readonly grants?: readonly Grant[];
}

export interface OpenRequest {
  readonly v: number;
  /** The last word of both subjects of the channel: 128 random bits. */
  readonly channel: string;
  /** Bytes that the machine may send at first. */
  readonly window: number;
  /** The session that is taken up needs no slot of its own. */
  readonly resumes?: boolean;
  /** From a gateway only: who is connected to it. */
  readonly principal?: Principal;
  /** A signed token, where machines ask for one. */
  readonly token?: string;
  /** Of the span that the machine's is a child of. */
  readonly trace?: Trace;
}

export type OpenAnswer =
  | {
      readonly v: number;
      readonly executor: string;
      readonly boot: string;
      /** Bytes that the caller may send at first. */
      readonly window: number;
      /** How long a session without a connection lives here, unless its client asks for another time up to the most. */
      readonly sessionTtlMs: number;
      readonly maxSessionTtlMs: number;
    }
  | { readonly full: true }
  | { readonly draining: true }
  | { readonly refused: string };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeOpening(message: OpenRequest | OpenAnswer): Uint8Array {
  return encoder.encode(JSON.stringify(message));
}

/** Undefined for what is no request of a version that is spoken here. Unknown members are left alone. */
export function decodeOpenRequest(data: Uint8Array): OpenRequest | undefined {
  const { v, channel, window, resumes, principal, token, trace: sentTrace } = parsed(data);
  const trace = decodeTrace(sentTrace);
  const spokenFor = principal === undefined ? undefined : decodePrincipal(principal);
  if (principal !== undefined && spokenFor === undefined) return undefined;
  if (v !== PROTOCOL_VERSION || typeof channel !== 'string' || !isChannel(channel) || !isWindow(window))
    return undefined;
  return {
    v,
    channel,
    window,
    ...(resumes === true ? { resumes } : {}),
    ...(spokenFor === undefined ? {} : { principal: spokenFor }),
    ...(typeof token === 'string' ? { token } : {}),
    ...(trace === undefined ? {} : { trace }),
  };
}

export function decodeOpenAnswer(data: Uint8Array): OpenAnswer | undefined {
  const { v, executor, boot, window, sessionTtlMs, maxSessionTtlMs, full, draining, refused } = parsed(data);
  if (full === true) return { full };
  if (draining === true) return { draining };
  if (typeof refused === 'string') return { refused };
  if (v !== PROTOCOL_VERSION || !isWindow(window) || !isWindow(sessionTtlMs) || !isWindow(maxSessionTtlMs)) {
    return undefined;
  }
  if (typeof executor !== 'string' || !isName(executor) || typeof boot !== 'string' || !isName(boot))
    return undefined;
  return { v, executor, boot, window, sessionTtlMs, maxSessionTtlMs };
}

/** What is not understood is no principal: leaving a part out could give more than was meant. */
function decodePrincipal(value: unknown): Principal | undefined {
  const { identity, grants } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof identity !== 'string') return undefined;
  if (grants !== undefined && !(Array.isArray(grants) && grants.every((word) => typeof word === 'string')))
    return undefined;
  return {
    identity,
    // A word that is no grant grants nothing where it is asked for.
    ...(grants === undefined ? {} : { grants: grants as Grant[] }),
  };
}

function parsed(data: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(decoder.decode(data))) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The last word of where a machine is asked is that of no channel: its frames would be taken for requests, or they for frames. */
function isChannel(word: string): boolean {
  return isName(word) && word !== 'open';
}

function isWindow(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
