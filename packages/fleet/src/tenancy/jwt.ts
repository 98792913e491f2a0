// The signed claims that a broker believes, made offline. Brokers check the chain: the operator signs accounts, a signing
// key of the account signs users.

import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { nkeys } from '@nats-io/transport-node';

export type KeyPair = ReturnType<typeof nkeys.createUser>;

export interface Claims {
  readonly name: string;
  /** Public key of whom the claims are about. */
  readonly subject: string;
  readonly issuedAt: number;
  /** Epoch seconds. */
  readonly expiresAt?: number;
  readonly nats: Readonly<Record<string, unknown>>;
}

const HEADER = { typ: 'JWT', alg: 'ed25519-nkey' };
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function signClaims(claims: Claims, issuer: KeyPair): string {
  const body = {
    iat: claims.issuedAt,
    iss: issuer.getPublicKey(),
    name: claims.name,
    nats: { version: 2, ...claims.nats },
    sub: claims.subject,
    ...(claims.expiresAt === undefined ? {} : { exp: claims.expiresAt }),
  };
  const jti = base32(createHash('sha512-256').update(JSON.stringify(body)).digest());
  const signed = `${encoded(HEADER)}.${encoded({ ...body, jti })}`;
  const signature = issuer.sign(new TextEncoder().encode(signed));
  return `${signed}.${Buffer.from(signature).toString('base64url')}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + BASE32[(value << (5 - bits)) & 31];
}
