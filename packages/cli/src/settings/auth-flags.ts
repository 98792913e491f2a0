// The --ws-auth family of flags: which go together, and the authenticator they make. The texts are the ones that
// operators of the Rust server know.
import { isAbsolute } from 'node:path';
import type { Authenticator } from '@codex/exec-listener';
import { CodedError } from '@codex/exec-protocol';

export const AUTH_MODES = ['capability-token', 'signed-bearer-token'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

export interface AuthFlags {
  readonly wsAuth?: AuthMode;
  readonly wsTokenFile?: string;
  readonly wsTokenSha256?: string;
  readonly wsSharedSecretFile?: string;
  readonly wsIssuer?: string;
  readonly wsAudience?: string;
  readonly wsMaxClockSkewSeconds?: number;
}

export class AuthFlagError extends CodedError<'AUTH_FLAGS_INVALID'> {
  constructor(message: string) {
    super('AUTH_FLAGS_INVALID', message);
  }
}

/** Undefined when authentication is off. Throws AuthFlagError for a combination that makes no sense. */
export async function authenticatorFromFlags(flags: AuthFlags): Promise<Authenticator | undefined> {
  if (flags.wsAuth === undefined) {
    requireAbsent(flags, [...TOKEN_FLAGS, ...JWT_FLAGS], NEEDS_MODE);
    return undefined;
  }
  if (flags.wsAuth === 'capability-token') {
    requireAbsent(flags, JWT_FLAGS, JWT_ONLY);
    return capabilityToken(flags);
  }
  requireAbsent(flags, TOKEN_FLAGS, TOKEN_ONLY);
  return signedBearer(flags);
}

const TOKEN_FLAGS = ['wsTokenFile', 'wsTokenSha256'] as const;
const JWT_FLAGS = ['wsSharedSecretFile', 'wsIssuer', 'wsAudience', 'wsMaxClockSkewSeconds'] as const;

const NEEDS_MODE =
  'websocket auth flags require `--ws-auth capability-token` or `--ws-auth signed-bearer-token`';
const JWT_ONLY =
  '`--ws-shared-secret-file`, `--ws-issuer`, `--ws-audience`, and `--ws-max-clock-skew-seconds` require `--ws-auth signed-bearer-token`';
const TOKEN_ONLY = '`--ws-token-file` and `--ws-token-sha256` require `--ws-auth capability-token`';

function requireAbsent(flags: AuthFlags, names: readonly (keyof AuthFlags)[], message: string): void {
  if (names.some((name) => flags[name] !== undefined)) throw new AuthFlagError(message);
}

async function capabilityToken({ wsTokenFile, wsTokenSha256 }: AuthFlags): Promise<Authenticator> {
  if (wsTokenFile !== undefined && wsTokenSha256 !== undefined) {
    throw new AuthFlagError('`--ws-token-file` and `--ws-token-sha256` are mutually exclusive');
  }
  if (wsTokenSha256 !== undefined) {
    if (!/^[0-9a-f]{64}$/i.test(wsTokenSha256)) {
      throw new AuthFlagError('--ws-token-sha256 must be a 64-character hex SHA-256 digest');
    }
    const { capabilityTokenAuth } = await import('@codex/exec-listener/auth');
    return capabilityTokenAuth({ sha256: wsTokenSha256 });
  }
  if (wsTokenFile === undefined) {
    throw new AuthFlagError(
      '`--ws-token-file` or `--ws-token-sha256` is required when `--ws-auth capability-token` is set',
    );
  }
  const token = await readSecret('--ws-token-file', wsTokenFile);
  const { capabilityTokenAuth } = await import('@codex/exec-listener/auth');
  return capabilityTokenAuth({ token });
}

async function signedBearer(flags: AuthFlags): Promise<Authenticator> {
  if (flags.wsSharedSecretFile === undefined) {
    throw new AuthFlagError(
      '`--ws-shared-secret-file` is required when `--ws-auth signed-bearer-token` is set',
    );
  }
  const secret = await readSecret('--ws-shared-secret-file', flags.wsSharedSecretFile);
  const { signedBearerAuth } = await import('@codex/exec-listener/auth');
  return signedBearerAuth({
    secret,
    ...(flags.wsIssuer === undefined ? {} : { issuer: flags.wsIssuer }),
    ...(flags.wsAudience === undefined ? {} : { audience: flags.wsAudience }),
    ...(flags.wsMaxClockSkewSeconds === undefined
      ? {}
      : { maxClockSkewSeconds: flags.wsMaxClockSkewSeconds }),
  });
}

async function readSecret(flag: string, path: string): Promise<string> {
  if (!isAbsolute(path)) throw new AuthFlagError(`${flag} must be an absolute path, not \`${path}\``);
  const { readSecretFile } = await import('@codex/exec-listener/auth');
  return readSecretFile(path, 'websocket auth secret');
}
