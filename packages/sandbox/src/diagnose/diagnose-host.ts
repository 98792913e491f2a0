// Diagnoses what this host can enforce, what is missing, and the command that fixes it. A doctor command prints it.

import { type HostFinding, linuxFindings } from '../linux/host-findings.js';
import { type LinuxHost, probeLinuxHost } from '../linux/host-probe.js';
import { diagnosePolicies, type PolicyDiagnosis } from './diagnose-policies.js';

export interface HostDiagnosis {
  /** Commands can be sandboxed: read-only and workspace-write were tried and held, nothing accepted by name. */
  readonly usable: boolean;
  readonly findings: readonly HostFinding[];
  /** Every kind of policy, tried on this host. */
  readonly policies: readonly PolicyDiagnosis[];
}

/** Takes about a second: it runs a command under each policy. */
export async function diagnoseHost(host?: LinuxHost): Promise<HostDiagnosis> {
  const facts = process.platform === 'linux' ? (host ?? (await probeLinuxHost())) : undefined;
  const policies = await diagnosePolicies(facts === undefined ? {} : { host: facts });
  const usable = policies
    .filter(({ policy }) => policy === 'read-only' || policy === 'workspace-write')
    .every(({ enforceable }) => enforceable);
  return { usable, findings: facts === undefined ? [platformFinding()] : linuxFindings(facts), policies };
}

function platformFinding(): HostFinding {
  if (process.platform === 'darwin') {
    const detail = 'seatbelt profiles are built, but this version was never run on macOS';
    return { id: 'platform', status: 'weaker', detail };
  }
  return { id: 'platform', status: 'missing', detail: `no sandbox for ${process.platform}` };
}
