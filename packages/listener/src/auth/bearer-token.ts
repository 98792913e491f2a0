// The token of an `Authorization: Bearer …` header.

import { type AuthVerdict, refused } from './authenticator.js';

export function bearerToken(authorization: string | undefined): { readonly token: string } | AuthVerdict {
  if (authorization === undefined) return refused('missing websocket bearer token');
  const match = /^bearer\s+(\S.*)$/i.exec(authorization.trim());
  const token = match?.[1]?.trim();
  return token === undefined ? refused('invalid authorization header') : { token };
}
