// The policy that `exec-server sandbox` is given: a name with refinements, or a file that holds a policy of the protocol.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CodedError } from '@codex/exec-protocol';
import {
  fullAccess,
  type NetworkPolicy,
  parseSandboxContext,
  readOnly,
  type SandboxPolicy,
  workspaceWrite,
} from '@codex/sandbox';

export interface PolicyFlags {
  readonly policy: string;
  readonly network: NetworkPolicy;
  readonly writable?: readonly string[];
  readonly deny?: readonly string[];
  readonly allowCommits?: boolean;
}

export const POLICY_NAMES = ['read-only', 'workspace-write', 'full-access'] as const;
export const NETWORKS = ['restricted', 'loopback', 'enabled'] as const;

export class PolicyFlagError extends CodedError<'POLICY_FLAGS_INVALID'> {
  constructor(message: string) {
    super('POLICY_FLAGS_INVALID', message);
  }
}

export function policyFromFlags(flags: PolicyFlags, cwd: string): SandboxPolicy {
  const { network } = flags;
  const deny = (flags.deny ?? []).map((path) => resolve(cwd, path));
  switch (flags.policy) {
    case 'read-only':
      if (flags.writable !== undefined)
        throw new PolicyFlagError('`--writable` needs `--policy workspace-write`');
      return readOnly({ network, deny });
    case 'workspace-write':
      return workspaceWrite({
        network,
        deny,
        roots: (flags.writable ?? []).map((path) => resolve(cwd, path)),
        ...(flags.allowCommits === true ? { allowCommitsIn: [cwd] } : {}),
      });
    case 'full-access':
      return fullAccess();
    default:
      return policyFromFile(flags.policy, cwd);
  }
}

function policyFromFile(file: string, cwd: string): SandboxPolicy {
  let permissions: unknown;
  try {
    permissions = JSON.parse(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PolicyFlagError(
      `\`--policy ${file}\` is neither read-only, workspace-write or full-access, nor a JSON file: ${reason}`,
    );
  }
  return parseSandboxContext({ permissions }, { cwd }).policy;
}
