// Auth mode `signed-bearer-token`: a JWT signed with a shared secret, HS256 and nothing else, checked by hand because
// that is 60 lines. Does not stop: the reuse of a token before it expires (there is no list of used ones).

import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ListenError } from '../listen-error.js';
import { type Authenticator, type AuthVerdict, refused } from './authenticator.js';
import { bearerToken } from './bearer-token.js';
import { type JwtClaims, readClaims, readHeader } from './jwt-parts.js';
import { rightsOfScope } from './scope-rights.js';

export interface SignedBearerOptions {
  /** At least 32 bytes. */
  readonly secret: string;
  readonly issuer?: string;
  readonly audience?: string;
  /** Default 30. */
  readonly maxClockSkewSeconds?: number;
  /** Seconds since 1970; for tests. */
  now?(): number;
}

const MIN_SECRET_BYTES = 32;
const DEFAULT_SKEW_SECONDS = 30;
const INVALID = 'invalid websocket jwt';

export function signedBearerAuth(options: SignedBearerOptions): Authenticator {
  const secret = Buffer.from(options.secret.trim(), 'utf8');
  if (secret.length < MIN_SECRET_BYTES) {
    throw new ListenError(
      'LISTEN_SECRET_INVALID',
      `the websocket shared secret must have at least ${MIN_SECRET_BYTES} bytes`,
    );
  }
  return (authorization) => {
    const bearer = bearerToken(authorization);
    if (!('token' in bearer)) return bearer;
    const claims = verifiedClaims(bearer.token, secret);
    return claims === undefined ? refused(INVALID) : judgeClaims(claims, options);
  };
}

/** What a token says whose signature is right; undefined for every other. */
export function verifiedClaims(token: string, secret: Buffer): JwtClaims | undefined {
  const [header, payload, signature, ...rest] = token.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    return undefined;
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  // The text is compared too: the decoder forgives stray characters, and a token must have one spelling.
  if (given.length !== expected.length || given.toString('base64url') !== signature) return undefined;
  if (!timingSafeEqual(given, expected)) return undefined;
  return readHeader(header) ? readClaims(payload) : undefined;
}

function judgeClaims(claims: JwtClaims, options: SignedBearerOptions): AuthVerdict {
  const skew = options.maxClockSkewSeconds ?? DEFAULT_SKEW_SECONDS;
  const now = options.now?.() ?? Math.floor(Date.now() / 1000);
  if (now > claims.exp + skew) return refused('expired websocket jwt');
  if (claims.nbf !== undefined && now < claims.nbf - skew) return refused('websocket jwt is not valid yet');
  if (options.issuer !== undefined && claims.iss !== options.issuer)
    return refused('websocket jwt issuer mismatch');
  if (options.audience !== undefined && !claims.aud.includes(options.audience)) {
    return refused('websocket jwt audience mismatch');
  }
  const identity = claims.sub === undefined ? 'jwt' : `jwt:${claims.sub}`;
  return { ok: true, identity, ...rightsOfScope(claims.scope) };
}
