// `shellSnapshot` of a `process/start`: what is refused, and whether the command is one that a snapshot can serve.
import { type DirectStartParams, invalidParams } from '@codex/exec-protocol';
import type { Environment, EnvPolicy } from '../environment/env-policy.js';

export interface SnapshotRequest {
  readonly scopeId: string;
  /** The program of the command, which is also the shell whose state is captured. */
  readonly shell: string;
  readonly policy: EnvPolicy | null;
  /** The variables of the request itself. They stand over what a profile sets. */
  readonly overlay: Environment;
}

type StartParams = Pick<DirectStartParams, 'argv' | 'env' | 'envPolicy' | 'shellSnapshot'>;

export const MAX_SCOPE_BYTES = 256;
const KNOWN_SHELLS = ['bash', 'zsh', 'sh'];

/** Undefined where the command runs as it stands. */
export function snapshotRequestOf(
  { argv, env, envPolicy, shellSnapshot }: StartParams,
  platform: NodeJS.Platform = process.platform,
): SnapshotRequest | undefined {
  if (shellSnapshot == null) return undefined;
  if (platform === 'win32') throw invalidParams('shell snapshots are unsupported on this platform');
  const { scopeId, shell } = shellSnapshot;
  if (scopeId === '' || Buffer.byteLength(scopeId) > MAX_SCOPE_BYTES) {
    throw invalidParams(`shell snapshot scope must be non-empty and at most ${MAX_SCOPE_BYTES} bytes`);
  }
  if (argv[0] !== shell.path || argv[1] !== '-lc' || argv.length < 3) return undefined;
  if (!KNOWN_SHELLS.includes(shell.name)) {
    throw invalidParams(`shell snapshots are unsupported for shell \`${shell.name}\``);
  }
  // Only bash can say everything that a profile may have left: dash has no way to print a function.
  if (shell.name !== 'bash' || defeatsRestoring(env)) return undefined;
  return { scopeId, shell: shell.path, policy: envPolicy ?? null, overlay: env };
}

/**
 * In POSIX mode bash does not read the file that restores the state, and the shell in front of the captured one does not
 * hand on the options of its environment.
 */
export function defeatsRestoring(env: Environment): boolean {
  return 'POSIXLY_CORRECT' in env || 'SHELLOPTS' in env || 'BASHOPTS' in env;
}
