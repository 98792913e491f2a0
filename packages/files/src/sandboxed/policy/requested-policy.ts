// Parses and resolves the policy of a request.
import { parseSandboxContext, type ResolvedPolicy, resolvePolicy, type SandboxContext } from '@codex/sandbox';

export interface RequestedPolicy {
  /** Equal for policies that one helper can serve. */
  readonly key: string;
  readonly resolved: ResolvedPolicy;
  readonly cwd: string;
}

export interface PolicyPlaces {
  /** What a policy without a working directory is about. */
  readonly cwd: string;
  /** The server's own temporary directory: what the policy's `tmpdir` means. */
  readonly tmpdir: string | undefined;
}

/** Undefined for a policy that restricts no files. Throws a SandboxError for one that makes no sense. */
export function readPolicy(sandbox: unknown, places: PolicyPlaces): RequestedPolicy | undefined {
  const context: SandboxContext = parseSandboxContext(sandbox, { cwd: places.cwd });
  const { policy, cwd, workspaceRoots } = context;
  const { tmpdir } = places;
  const resolved = resolvePolicy(policy, {
    cwd,
    workspaceRoots,
    ...(tmpdir === undefined ? {} : { tmpdir }),
  });
  if (!resolved.restrictsFiles) return undefined;
  return {
    key: JSON.stringify([resolved.rules, resolved.denyGlobs, resolved.globScanMaxDepth, cwd]),
    resolved,
    cwd,
  };
}
