// The file that proves to the broker who this program is: the format of the NATS tools, a JWT and the seed of its key.
// The key's public half is this program's name in every subject.

import { readFile } from 'node:fs/promises';
import { FleetError } from '../fleet-error.js';
import { ANONYMOUS, isName } from '../naming/subjects.js';

export interface Credentials {
  readonly file: Uint8Array;
  readonly key: string;
}

const JWT = /-----BEGIN NATS USER JWT-----\s+([\w-]+\.[\w-]+\.[\w-]+)\s/;

export async function readCredentials(path: string): Promise<Credentials> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const why = String(Reflect.get(Object(cause), 'code') ?? cause);
    throw new FleetError('FLEET_CREDENTIALS', `cannot read the credentials file ${path}: ${why}`, { cause });
  }
  return { file: new TextEncoder().encode(text), key: keyOf(text, path) };
}

/** `ANONYMOUS` on a broker without authentication. */
export function keyOfCredentials(credentials: Credentials | undefined): string {
  return credentials?.key ?? ANONYMOUS;
}

function keyOf(text: string, path: string): string {
  const payload = JWT.exec(text)?.[1]?.split('.')[1];
  let subject: unknown;
  try {
    subject = Reflect.get(
      Object(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString('utf8'))),
      'sub',
    );
  } catch {
    subject = undefined;
  }
  if (typeof subject === 'string' && isName(subject) && text.includes('BEGIN USER NKEY SEED')) return subject;
  throw new FleetError(
    'FLEET_CREDENTIALS',
    `${path} is no credentials file: it has to hold a user JWT and the seed of its key; \`exec-server fleet mint\` writes one`,
  );
}
