// The certificates that https requests trust: the machine's own store where there is one, and what the environment
// adds.
import { readFile } from 'node:fs/promises';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { reasonOf, sendFailed } from './http-error.js';

const SYSTEM_STORES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/cert.pem',
];

/** The first that is set counts, as with the peer; Node's own variable counts besides. */
const ADDED_BY = ['CODEX_CA_CERTIFICATE', 'SSL_CERT_FILE'];

export async function trustedCertificates(env: ServerEnvironment): Promise<SecureContext> {
  const system = await firstReadable(SYSTEM_STORES);
  const added = [ADDED_BY.find((name) => (env[name] ?? '') !== ''), 'NODE_EXTRA_CA_CERTS'];
  const extra = await Promise.all(added.map((name) => certificatesOf(name, env)));
  const ca = [...(system === undefined ? rootCertificates : [system]), ...extra.flat()];
  try {
    return createSecureContext({ ca });
  } catch (cause) {
    throw sendFailed(`the certificates that this server trusts cannot be used: ${reasonOf(cause)}`, cause);
  }
}

async function firstReadable(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A file that was named and cannot be read is an error: without it the wrong servers would seem trusted or not. */
async function certificatesOf(name: string | undefined, env: ServerEnvironment): Promise<string[]> {
  const path = name === undefined ? undefined : env[name];
  if (name === undefined || path === undefined || path === '') return [];
  try {
    return [await readFile(path, 'utf8')];
  } catch (cause) {
    throw sendFailed(`the file that ${name} names cannot be read`, cause);
  }
}
