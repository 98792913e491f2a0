// The two JSON parts of a JWT, reduced to what is checked. Everything unexpected makes the token invalid.

import { Buffer } from 'node:buffer';

export interface JwtClaims {
  readonly exp: number;
  readonly nbf: number | undefined;
  readonly iat: number | undefined;
  readonly jti: string | undefined;
  readonly iss: string | undefined;
  readonly aud: readonly string[];
  readonly sub: string | undefined;
  readonly scope: string | undefined;
}

/** Whether the header asks for HS256 and for nothing that is not understood here. */
export function readHeader(part: string): boolean {
  const header = parseObject(part);
  return header !== undefined && header.get('alg') === 'HS256' && !header.has('crit');
}

export function readClaims(part: string): JwtClaims | undefined {
  const claims = parseObject(part);
  if (claims === undefined) return undefined;
  const exp = claims.get('exp');
  const nbf = claims.get('nbf') ?? undefined;
  const iat = claims.get('iat') ?? undefined;
  const jti = claims.get('jti') ?? undefined;
  const iss = claims.get('iss') ?? undefined;
  const sub = claims.get('sub') ?? undefined;
  const scope = claims.get('scope') ?? undefined;
  const aud = readAudience(claims.get('aud') ?? undefined);
  if (!isInteger(exp) || (nbf !== undefined && !isInteger(nbf)) || aud === undefined) return undefined;
  if (!isOptionalText(iss) || !isOptionalText(sub) || !isOptionalText(scope)) return undefined;
  // Only a ticket needs them, and a token with odd ones was always accepted.
  const known = { iat: isInteger(iat) ? iat : undefined, jti: typeof jti === 'string' ? jti : undefined };
  return { exp, nbf, iss, aud, sub, scope, ...known };
}

function readAudience(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
}

// A map, so that a claim called like a member of Object.prototype is only ever data.
function parseObject(part: string): Map<string, unknown> | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return new Map(Object.entries(value));
  } catch {
    return undefined;
  }
}

function isInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}
