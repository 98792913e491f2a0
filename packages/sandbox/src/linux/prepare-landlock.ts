// A command restricted by Landlock and the system call filter alone, where bubblewrap cannot run. The command keeps the
// host's process list, and as root its capabilities; Landlock and the filter stop it from using them.
import { SandboxError } from '../errors.js';
import type { ResolvedPolicy } from '../policy/resolve-policy.js';
import type { PreparedSandbox, SandboxRequest } from '../sandbox-request.js';
import { withoutAftermath } from '../without-aftermath.js';
import { buildLandlockRules } from './landlock-rules.js';
import { seccompProgramFor } from './seccomp/seccomp-program.js';

export function prepareLandlock(request: SandboxRequest, policy: ResolvedPolicy): PreparedSandbox {
  const accept = request.accept ?? [];
  if (policy.network === 'loopback') {
    throw new SandboxError(
      'SANDBOX_UNAVAILABLE',
      'a private loopback interface needs bubblewrap, which cannot run here',
    );
  }
  if (process.getuid?.() === 0 && !accept.includes('root-capabilities')) {
    throw new SandboxError(
      'SANDBOX_UNAVAILABLE',
      'bubblewrap cannot run here, and under Landlock alone root keeps its capabilities; run as another user ' +
        '(or accept it by name: root-capabilities)',
    );
  }
  const landlock = buildLandlockRules({ policy, accept, alwaysDeny: request.alwaysDeny ?? [] });
  const { argv, arg0, cwd, env } = request;
  const restrict = {
    noNewPrivileges: true,
    seccompProgram: seccompProgramFor(policy.network, { privateNetwork: false }),
    ...(policy.restrictsFiles ? { landlock } : {}),
  };
  return withoutAftermath(
    { type: 'linuxSeccomp', argv, ...(arg0 === undefined ? {} : { arg0 }), cwd, env, restrict },
    ['confined by Landlock: the command sees the process list of the host'],
  );
}
