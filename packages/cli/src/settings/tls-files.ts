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
  return { cert: await read('--tls-cert', tlsCert), key: await read('--tls-key', tlsKey) };
}

async function read(flag: string, path: string): Promise<Buffer> {
  const { readFile } = await import('node:fs/promises');
  try {
    return await readFile(path);
  } catch (cause) {
    throw new AuthFlagError(`\`${flag}\`: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
