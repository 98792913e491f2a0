// The file that proves to the broker who this program is: the format of the NATS tools, a JWT and the seed of its key.
// The key's public half is this program's name in every subject.

import { type FileHandle, open } from 'node:fs/promises';
import { FleetError } from '../fleet-error.js';
import { ANONYMOUS, isName } from '../naming/subjects.js';

export interface Credentials {
  readonly file: Uint8Array;
  readonly key: string;
  /** The only name that a machine with them may have. */
  readonly machine?: string;
  /** Epoch seconds. */
  readonly expiresAt?: number;
}

const JWT = /-----BEGIN NATS USER JWT-----\s+([\w-]+\.[\w-]+\.[\w-]+)\s/;
const MOST_BYTES = 64 * 1024;

export async function readCredentials(path: string): Promise<Credentials> {
  let file: FileHandle | undefined;
  let text: string;
  let unsafe: string | undefined;
  try {
    file = await open(path, 'r');
    const facts = await file.stat();
    unsafe = whatIsUnsafe(path, facts, process.getuid?.());
    text = facts.size <= MOST_BYTES ? await file.readFile('utf8') : '';
  } catch (cause) {
    throw new FleetError('FLEET_CREDENTIALS', unreadable(path, cause), { cause });
  } finally {
    await file?.close();
  }
  // Another file that was named by mistake need not be closed to others.
  const credentials = parseCredentials(text, path);
  if (unsafe !== undefined)
    throw new FleetError('FLEET_CREDENTIALS', `the credentials file ${path} ${unsafe}`);
  return credentials;
}

function unreadable(path: string, cause: unknown): string {
  const code = String(Reflect.get(Object(cause), 'code') ?? cause);
  if (code === 'ENOENT') return `there is no credentials file ${path}: \`exec-server fleet mint\` writes one`;
  return `cannot read the credentials file ${path}: ${code}`;
}

/**
 * Credentials that others can read are not theirs who were given them. Where root hands them out to a group, as Kubernetes
 * and systemd do, the group is who should have them. Does not stop: access control lists, root, a copy made earlier.
 */
export function whatIsUnsafe(
  path: string,
  { uid, mode }: { readonly uid: number; readonly mode: number },
  ownUid: number | undefined,
): string | undefined {
  // Windows has no modes.
  if (ownUid === undefined) return undefined;
  if (uid !== ownUid && uid !== 0)
    return `belongs to another user (uid ${uid}): make it your own with \`chown ${ownUid} ${path}\``;
  const tolerated = uid === 0 ? 0o040 : 0;
  if ((mode & 0o077 & ~tolerated) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return `is open to others (mode ${shown}): close it with \`chmod 600 ${path}\`, and mint new ones if others may have read it`;
}

/** `ANONYMOUS` on a broker without authentication. */
export function keyOfCredentials(credentials: Credentials | undefined): string {
  return credentials?.key ?? ANONYMOUS;
}

function parseCredentials(text: string, path: string): Credentials {
  const { sub: key, nats, exp } = claimsOf(text);
  if (typeof key !== 'string' || !isName(key) || !text.includes('BEGIN USER NKEY SEED')) {
    throw new FleetError(
      'FLEET_CREDENTIALS',
      `${path} is no credentials file: it has to hold a user JWT and the seed of its key; \`exec-server fleet mint\` writes one`,
    );
  }
  const { tags } = Object(nats) as { readonly tags?: unknown };
  const machine = (Array.isArray(tags) ? tags : [])
    .map((tag) => /^machine:(.+)$/.exec(String(tag))?.[1])
    .find((name) => name !== undefined && isName(name));
  return {
    file: new TextEncoder().encode(text),
    key,
    ...(machine === undefined ? {} : { machine }),
    ...(typeof exp === 'number' ? { expiresAt: exp } : {}),
  };
}

/** Without looking at the signature: the broker does. */
function claimsOf(text: string): { readonly sub?: unknown; readonly nats?: unknown; readonly exp?: unknown } {
  const payload = JWT.exec(text)?.[1]?.split('.')[1] ?? '';
  try {
    return Object(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))) as object;
  } catch {
    return {};
  }
}
