// A command restricted by Landlock and the system call filter alone, where bubblewrap cannot run. Landlock knows files,
// TCP, signals and abstract sockets; what it does not know (attributes of files, limits and priorities of processes,
// shared memory, unix sockets) the filter refuses as a whole. The command sees the host's process list, and as root it
// keeps its capabilities: both have to be accepted by name.
import type { LandlockRules } from '@codex/launcher';
import { SandboxError } from '../../errors.js';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';
import type { PreparedSandbox, SandboxRequest, WeakerForm } from '../../sandbox-request.js';
import { withoutAftermath } from '../../without-aftermath.js';
import { inSlices } from '../locate/time-slices.js';
import { seccompProgramFor } from '../seccomp/seccomp-program.js';
import { buildLandlockRules } from './landlock-rules.js';
import { refusePorts } from './refused-ports.js';

export async function prepareLandlock(
  request: SandboxRequest,
  policy: ResolvedPolicy,
  landlockAbi: number | undefined,
): Promise<PreparedSandbox> {
  const accept = request.accept ?? [];
  if (policy.network === 'loopback')
    throw unavailable('a private loopback interface needs bubblewrap, which cannot run here');
  requireAccepted(accept);
  const rules = buildLandlockRules({
    policy,
    accept,
    alwaysDeny: request.alwaysDeny ?? [],
    ownFolders: request.ownFolders ?? [],
    terminal: request.terminal === true,
  });
  const landlock = await inSlices(rules);
  const opensSockets = policy.unixSockets === 'host' && accept.includes('host-sockets');
  const { argv, arg0, cwd, env } = request;
  const ports = refusePorts(request, policy, { landlockAbi });
  const restrict = {
    noNewPrivileges: true,
    seccompProgram: seccompProgramFor({
      network: policy.network,
      unixSockets: opensSockets,
      privateNetwork: false,
      refusesPorts: ports.rules !== undefined,
      hostNamespaces: { attributes: accept.includes('host-attributes') || !policy.restrictsFiles },
    }),
    ...landlockOf(policy.restrictsFiles ? landlock : undefined, ports.rules),
  };
  return withoutAftermath(
    { type: 'linuxSeccomp', argv, ...(arg0 === undefined ? {} : { arg0 }), cwd, env, restrict },
    [...warningsOf(policy, accept), ...ports.warnings],
  );
}

/** Both in one: a command that is confined by two rulesets could do no more than by one, and the launcher applies one. */
function landlockOf(files: LandlockRules | undefined, ports: LandlockRules | undefined) {
  if (files === undefined && ports === undefined) return {};
  const minimumAbi = Math.max(files?.minimumAbi ?? 0, ports?.minimumAbi ?? 0);
  return { landlock: { ...files, ...ports, minimumAbi } };
}

function requireAccepted(accept: readonly WeakerForm[]): void {
  if (!accept.includes('host-proc')) {
    throw unavailable(
      'bubblewrap cannot run here, and under Landlock alone the command sees the processes of the host ' +
        '(accept it by name: host-proc)',
    );
  }
  if (process.getuid?.() === 0 && !accept.includes('root-capabilities')) {
    throw unavailable(
      'bubblewrap cannot run here, and under Landlock alone root keeps its capabilities; run as another user ' +
        '(or accept it by name: root-capabilities)',
    );
  }
}

/** What a command may stumble over here and not under bubblewrap. */
function warningsOf(policy: ResolvedPolicy, accept: readonly WeakerForm[]): string[] {
  const warnings = ['confined by Landlock: the command sees the process list of the host'];
  if (policy.restrictsFiles && !accept.includes('host-attributes')) {
    warnings.push(
      'confined by Landlock: modes, owners, times and extended attributes cannot be changed, in writable directories ' +
        'neither (accept that those of every file can, by name: host-attributes)',
    );
  }
  if (policy.unixSockets === 'host' && !accept.includes('host-sockets')) {
    warnings.push(
      'confined by Landlock: there are no unix sockets (accept those of the host by name: host-sockets)',
    );
  }
  return warnings;
}

function unavailable(message: string): SandboxError {
  return new SandboxError('SANDBOX_UNAVAILABLE', message);
}
