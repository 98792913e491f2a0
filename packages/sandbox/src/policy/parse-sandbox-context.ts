// The `sandbox` member of a request: a policy together with the places it is about. Members outside the policy that
// are unknown are ignored, as everywhere on the wire, except one that would replace the policy.
import { parsePolicy } from './parse-policy.js';
import type { SandboxPolicy } from './policy-model.js';
import { refuse, WireReader } from './wire-reader.js';

const overrides = ['noOverride', 'escalatedSandboxWithRestrictions', 'bypassSandboxFirstAttempt'] as const;

export interface SandboxContext {
  readonly policy: SandboxPolicy;
  readonly cwd: string;
  readonly workspaceRoots: readonly string[];
}

export interface ParseContextOptions {
  /** The working directory of the command; the policy's own `cwd` goes before it. */
  readonly cwd: string;
}

export function parseSandboxContext(value: unknown, options: ParseContextOptions): SandboxContext {
  const reader = new WireReader(value, 'sandbox');
  // Says how the permissions came about. They are complete, and they are what is enforced, whatever it says.
  reader.oneOf('sandboxOverride', overrides, 'noOverride');
  const place = readPlace(reader, options);
  const permissions = reader.optional('permissions');
  const legacy = reader.optional('sandboxPolicy');
  if ((permissions === undefined) === (legacy === undefined)) {
    throw refuse('sandbox', 'needs exactly one of `permissions` and `sandboxPolicy`');
  }
  const parsed = parsePolicy(permissions ?? legacy, place.workspaceRoots);
  if (legacy !== undefined && !parsed.legacy)
    throw refuse('sandbox.sandboxPolicy', 'is not one of the legacy policies');
  const impliesCwd = parsed.legacy && place.workspaceRoots.length === 0;
  return {
    policy: parsed.policy,
    cwd: place.cwd,
    workspaceRoots: impliesCwd ? [place.cwd] : place.workspaceRoots,
  };
}

/** 0.169.0 sends the same facts twice; where they differ it is unknown which was meant. */
function readPlace(
  reader: WireReader,
  options: ParseContextOptions,
): { cwd: string; workspaceRoots: readonly string[] } {
  const outer = readFacts(reader);
  const nested =
    reader.optional('policyContext') === undefined ? undefined : readFacts(reader.child('policyContext'));
  if (nested !== undefined && outer.roots !== undefined && nested.roots !== undefined) {
    if (outer.roots.join('\0') !== nested.roots.join('\0'))
      throw refuse('sandbox', 'names two sets of workspace roots');
  }
  if (nested?.cwd !== undefined && outer.cwd !== undefined && nested.cwd !== outer.cwd) {
    throw refuse('sandbox', 'names two working directories');
  }
  return { cwd: outer.cwd ?? nested?.cwd ?? options.cwd, workspaceRoots: outer.roots ?? nested?.roots ?? [] };
}

function readFacts(reader: WireReader): { cwd: string | undefined; roots: readonly string[] | undefined } {
  return {
    cwd: reader.optional('cwd') === undefined ? undefined : reader.path('cwd'),
    roots: reader.optional('workspaceRoots') === undefined ? undefined : reader.paths('workspaceRoots'),
  };
}
