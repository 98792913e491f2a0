// A command under seatbelt. Never run on macOS by its authors; see `seatbelt-profile.ts`.
import { realpathSync, statSync } from 'node:fs';
import { SandboxError } from '../errors.js';
import { createAccessLookup } from '../policy/access-lookup.js';
import type { ResolvedPolicy } from '../policy/resolve-policy.js';
import type { PreparedSandbox, SandboxRequest } from '../sandbox-request.js';
import { withoutAftermath } from '../without-aftermath.js';
import { buildSeatbeltCommand } from './seatbelt-profile.js';

const topLevelAlias = /^\/(tmp|var|etc)(?=\/|$)/;

export function prepareSeatbelt(request: SandboxRequest, policy: ResolvedPolicy): PreparedSandbox {
  if (request.arg0 !== undefined) {
    throw new SandboxError(
      'SANDBOX_UNAVAILABLE',
      'sandbox-exec cannot start a program under another name (arg0)',
    );
  }
  const { canWrite } = createAccessLookup(policy);
  const rules = [
    ...policy.rules,
    ...(request.ownFolders ?? []).filter(canWrite).map((path) => ({ path, access: 'read' as const })),
    ...(request.alwaysDeny ?? []).map((path) => ({ path, access: 'deny' as const })),
  ];
  const { argv } = buildSeatbeltCommand(
    { ...policy, rules, fullDiskRead: policy.fullDiskRead && rules.length === policy.rules.length },
    {
      resolveAlias: (path) => (topLevelAlias.test(path) ? `/private${path}` : path),
      isFile: (path) => isFile(path),
    },
  );
  refuseLinkedRoots(policy);
  const { cwd, env } = request;
  return withoutAftermath({ type: 'macosSeatbelt', argv: [...argv, ...request.argv], cwd, env });
}

/** A writable root behind a link could be moved by a process that may change the link. */
function refuseLinkedRoots(policy: ResolvedPolicy): void {
  for (const { path, access } of policy.rules) {
    if (access !== 'write' || path === '/') continue;
    let real: string;
    try {
      real = realpathSync(path);
    } catch {
      continue;
    }
    if (real !== path && real !== `/private${path}`) {
      throw new SandboxError(
        'SANDBOX_POLICY_UNENFORCEABLE',
        `the writable ${path} is reached through a symbolic link; name ${real}`,
      );
    }
  }
}

function isFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory();
  } catch {
    return false;
  }
}
