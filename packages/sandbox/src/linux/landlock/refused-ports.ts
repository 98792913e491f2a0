// Ports that a command with the network may not connect to. Landlock refuses them whatever the address. It does not see
// MPTCP, SMC (in either form) and TCP Fast Open, which the system call filter keeps from such a command; nor UDP, nor a connection that
// another process opens for the command.
import { statSync } from 'node:fs';
import type { LandlockRules } from '@codex/launcher';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';
import type { SandboxRequest } from '../../sandbox-request.js';

const TCP_ABI = 4;
const SETUID = 0o4000;

export interface PortRefusal {
  readonly rules: LandlockRules | undefined;
  readonly warnings: readonly string[];
}

export function refusePorts(
  { refusedPorts = [] }: SandboxRequest,
  policy: ResolvedPolicy,
  { landlockAbi = 0, wrapper }: { readonly landlockAbi: number | undefined; readonly wrapper?: string },
): PortRefusal {
  // Without the network there is nothing to reach.
  if (policy.network !== 'enabled' || refusedPorts.length === 0) return { rules: undefined, warnings: [] };
  const missing =
    landlockAbi < TCP_ABI
      ? 'the kernel has no Landlock for TCP'
      : wrapper !== undefined && (statSync(wrapper).mode & SETUID) !== 0
        ? 'bubblewrap is installed setuid'
        : undefined;
  if (missing === undefined)
    return { rules: { refusedTcpPorts: refusedPorts, minimumAbi: TCP_ABI }, warnings: [] };
  return {
    rules: undefined,
    warnings: [`the command can connect to port ${refusedPorts.join(', ')}: ${missing}`],
  };
}
