// Tickets in the address of a websocket (`?ticket=…`), for clients that can send nothing but an address. Addresses stand in logs
// and process lists, so a ticket is good for little: it opens one session within a minute, for what its audience names. After
// that it only leads back to the session that it opened, whose id the bearer has to know.
// Does not stop: a reader of the address that uses the ticket before its client does (the client is refused then, so it is seen);
// and each copy of a gateway knows only what was spent at itself.

import { Buffer } from 'node:buffer';
import { createHmac, randomBytes } from 'node:crypto';
import { ListenError } from '../listen-error.js';
import { verifiedClaims } from './signed-bearer-token.js';

export type UrlTicketVerdict =
  | { readonly ok: true; readonly identity: string; readonly mayOnlyResume: boolean }
  | { readonly ok: false; readonly message: string };

export type UrlTicketAuth = (ticket: string, path: string) => UrlTicketVerdict;

export interface UrlTicketOptions {
  /** At least 32 bytes; with it tickets can be made. */
  readonly secret: string;
  /** What a ticket for the path must be made for; undefined when there is nothing at the path. */
  audienceOf(path: string): string | undefined;
  /** Seconds since 1970; for tests. */
  now?(): number;
}

const MIN_SECRET_BYTES = 32;
const LIFE_SECONDS = 60;
/** Clocks of two machines differ. */
const SKEW_SECONDS = 5;
/** A session that is older than this has been forgotten by its client. */
const RETURN_SECONDS = 7 * 24 * 60 * 60;
const MOST_SPENT = 100_000;
const ID_BYTES = 16;
const INVALID: UrlTicketVerdict = { ok: false, message: 'invalid ticket' };
const FROM_THE_FUTURE: UrlTicketVerdict = {
  ok: false,
  message: 'the ticket is from the future: the clock here is behind that of whoever made it',
};

export function urlTicketAuth({ secret, audienceOf, now = seconds }: UrlTicketOptions): UrlTicketAuth {
  const key = checkedSecret(secret);
  // In order of being spent, with when they are over anyway.
  const spent = new Map<string, number>();
  return (ticket, path) => {
    const claims = verifiedClaims(ticket, key);
    const audience = audienceOf(path);
    if (claims === undefined || audience === undefined) return INVALID;
    const { iat, exp, jti, aud, sub } = claims;
    if (iat === undefined || jti === undefined || aud.length !== 1 || aud[0] !== audience) return INVALID;
    if (exp - iat > LIFE_SECONDS) return { ok: false, message: 'a ticket lives for a minute at most' };
    const at = now();
    if (iat > at + SKEW_SECONDS) return FROM_THE_FUTURE;
    if (at > iat + RETURN_SECONDS) return INVALID;
    const identity = ['ticket', ...(sub === undefined ? [] : [sub]), jti].join(':');
    const isFresh = at <= exp + SKEW_SECONDS && spend(jti, exp + SKEW_SECONDS, at);
    return { ok: true, identity, mayOnlyResume: !isFresh };
  };

  /** False when it was spent before, or there is no room to remember it. */
  function spend(id: string, until: number, at: number): boolean {
    for (const [other, over] of spent) {
      if (over >= at) break;
      spent.delete(other);
    }
    if (spent.has(id) || spent.size >= MOST_SPENT) return false;
    spent.set(id, until);
    return true;
  }
}

export interface NewUrlTicket {
  readonly secret: string;
  readonly audience: string;
  /** Whom it is for: becomes part of the identity. */
  readonly subject?: string;
  readonly issuedAt?: number;
}

export function signUrlTicket({ secret, audience, subject, issuedAt = seconds() }: NewUrlTicket): string {
  const claims = {
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + LIFE_SECONDS,
    jti: randomBytes(ID_BYTES).toString('base64url'),
    ...(subject === undefined ? {} : { sub: subject }),
  };
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${signed}.${createHmac('sha256', checkedSecret(secret)).update(signed).digest('base64url')}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function checkedSecret(secret: string): Buffer {
  const key = Buffer.from(secret.trim(), 'utf8');
  if (key.length >= MIN_SECRET_BYTES) return key;
  throw new ListenError(
    'LISTEN_SECRET_INVALID',
    `the secret of tickets must have at least ${MIN_SECRET_BYTES} bytes`,
  );
}

function seconds(): number {
  return Math.floor(Date.now() / 1000);
}
