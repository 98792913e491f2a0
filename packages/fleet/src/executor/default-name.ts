// How a machine is called that was given no name: as its host, with something that tells copies apart.

import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

export function defaultName(): string {
  const host = hostname()
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 40);
  return `${host}-${randomBytes(4).toString('hex')}`;
}
