// Minted keys as lines for a person.

import type { ListedKey } from '@codex/exec-fleet';
import { textTable } from './text-table.js';

const HEADINGS = ['ACCOUNT', 'ROLE', 'FOR', 'NAME', 'STATE', 'KEY'];

export function keyTable(keys: readonly ListedKey[], now: number): string {
  return textTable([
    HEADINGS,
    ...keys.map((key) => [
      key.account,
      key.role,
      key.environments.map((name) => (key.machine === undefined ? name : `${name}/${key.machine}`)).join(' '),
      key.name,
      stateOf(key, now),
      key.key,
    ]),
  ]);
}

function stateOf({ isRevoked, expiresAt }: ListedKey, now: number): string {
  if (isRevoked) return 'revoked';
  if (expiresAt === undefined) return 'valid';
  const day = new Date(expiresAt * 1000).toISOString().slice(0, 10);
  return expiresAt * 1000 <= now ? `expired ${day}` : `until ${day}`;
}
