// The certificate and key that a listener shows.

import { AuthFlagError } from './auth-flags.js';

export interface TlsFlags {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

export async function readTls({
  tlsCert,
  tlsKey,
}: TlsFlags): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new AuthFlagError('`--tls-cert` and `--tls-key` go together');
  }
  const { readFile } = await import('node:fs/promises');
  return { cert: await readFile(tlsCert), key: await readFile(tlsKey) };
}
