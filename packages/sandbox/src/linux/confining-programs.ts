// Keeps the programs that confine commands as they are. A command that could replace bubblewrap would choose how the next
// one is confined, so it stays read-only whatever the policy says; so do this process' own program and the launcher. A caller names
// further programs that it runs outside itself. It does not stop: libraries that these load, and programs of the same name that a
// writable root puts in front of them, for a server that is started later.
import { realpathSync } from 'node:fs';
import { locateLauncherProgram } from '@codex/launcher';
import { createAccessLookup } from '../policy/access-lookup.js';
import { inTreeOrder } from '../policy/path-text.js';
import type { ResolvedPolicy } from '../policy/resolve-policy.js';
import type { LinuxHost } from './host-probe.js';

export function keepConfiningPrograms(
  policy: ResolvedPolicy,
  host: LinuxHost,
  keepFiles: readonly string[] = [],
): ResolvedPolicy {
  if (!policy.restrictsFiles) return policy;
  const { canRead, canWrite } = createAccessLookup(policy);
  const programs = [host.bubblewrap?.path, host.signalEnv, process.execPath, locateLauncherProgram()];
  const ofCaller = [...new Set(keepFiles.flatMap(realPath))].filter(
    (path) => canWrite(path) || !canRead(path),
  );
  const kept = [...new Set([...programs.flatMap(realPath).filter(canWrite), ...ofCaller])];
  if (kept.length === 0) return policy;
  const others = policy.rules.filter(({ path }) => !kept.includes(path));
  const rules = [...others, ...kept.map((path) => ({ path, access: 'read' as const }))];
  return { ...policy, rules: inTreeOrder(rules, ({ path }) => path) };
}

function realPath(path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
