// Auth mode `capability-token`: a client that knows the token may do everything. Only its SHA-256 is kept and compared,
// so the time of the comparison tells nothing about the token.

import { Buffer } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import { ListenError } from '../listen-error.js';
import { type Authenticator, refused } from './authenticator.js';
import { bearerToken } from './bearer-token.js';

export function capabilityTokenAuth(
  secret: { readonly token: string } | { readonly sha256: string },
): Authenticator {
  const expected = expectedDigest(secret);
  return (authorization) => {
    const bearer = bearerToken(authorization);
    if (!('token' in bearer)) return bearer;
    if (!timingSafeEqual(sha256(bearer.token), expected)) return refused('invalid websocket bearer token');
    // All holders of the token are one identity.
    return { ok: true, identity: 'token', seesOthers: true };
  };
}

function expectedDigest(secret: { readonly token: string } | { readonly sha256: string }): Buffer {
  if ('token' in secret) {
    const token = secret.token.trim();
    if (token === '') throw new ListenError('LISTEN_SECRET_INVALID', 'the websocket token must not be empty');
    return sha256(token);
  }
  const hex = secret.sha256.trim();
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new ListenError(
      'LISTEN_SECRET_INVALID',
      'the websocket token digest must be 64 hexadecimal digits (SHA-256)',
    );
  }
  return Buffer.from(hex, 'hex');
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
