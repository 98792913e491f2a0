// The smallest changes of a policy that allow what it denies. Each is tried on the policy before it is named.
import type { PermissionEntry, PolicyChange, PolicyDecision, SandboxDenial } from '@codex/exec-protocol';
import type { AccessLookup, PolicyContext, SandboxPolicy } from '@codex/sandbox';
import type { SandboxLibrary } from './explain-sandbox.js';

export interface ChangeRequest {
  readonly library: SandboxLibrary;
  readonly policy: SandboxPolicy;
  readonly context: PolicyContext;
  readonly decision: PolicyDecision | undefined;
  readonly denial: SandboxDenial | undefined;
  readonly lookup: AccessLookup;
}

/** Longer policies are explained, and it is left to their author how to change them. */
const MOST_ENTRIES = 100;

export function allowingChanges(request: ChangeRequest): PolicyChange[] {
  const { decision, denial, policy } = request;
  const changes: PolicyChange[] = [];
  if (denial?.reason === 'network_denied' && policy.network !== 'enabled') {
    changes.push({ access: 'network', sentence: 'Set the network of the policy to enabled.' });
  }
  if (decision === undefined || policy.fileSystem.type !== 'restricted') return changes;
  // Each try is a whole policy, in one turn of the event loop.
  if (policy.fileSystem.entries.length > MOST_ENTRIES) return changes;
  if (!decision.read) changes.push(...changeFor('read', decision.path, request));
  if (!decision.write) changes.push(...changeFor('write', decision.path, request));
  return changes;
}

function changeFor(access: 'read' | 'write', path: string, request: ChangeRequest): PolicyChange[] {
  const add: PermissionEntry = { path: { type: 'path', path }, access };
  if (isAllowedWith(request, { access, path, removed: [] })) {
    const where = access === 'write' ? ' (or for its directory, where it does not exist yet)' : '';
    return [{ access, add, sentence: `Add an entry for ${path} with the access ${access}${where}.` }];
  }
  const removed = obstaclesAt(request, path);
  if (removed.length === 0 || !isAllowedWith(request, { access, path, removed })) return [];
  const what = removed.join(', ');
  return [
    {
      access,
      add,
      remove: removed,
      sentence: `Take out what denies it (${what}) and add an entry for ${path}.`,
    },
  ];
}

/** Patterns that match, and a rule that denies exactly this path: no entry is stronger. */
function obstaclesAt({ policy, context, library, lookup }: ChangeRequest, path: string): string[] {
  const globs = lookup.denyingGlobs(path);
  const opened = library.resolvePolicy(without(policy, context, globs), context);
  const decider = library.createAccessLookup(opened).decidedBy(path);
  const isDenied = decider.kind === 'rule' && decider.rule.access === 'deny' && decider.rule.path === path;
  return isDenied ? [...globs, path] : globs;
}

function isAllowedWith(
  { library, policy, context }: ChangeRequest,
  { access, path, removed }: { access: 'read' | 'write'; path: string; removed: readonly string[] },
): boolean {
  const changed = without(policy, context, removed);
  if (changed.fileSystem.type !== 'restricted') return true;
  const entries = [...changed.fileSystem.entries, { path: { type: 'path' as const, path }, access }];
  try {
    const resolved = library.resolvePolicy(
      { ...changed, fileSystem: { ...changed.fileSystem, entries } },
      context,
    );
    const lookup = library.createAccessLookup(resolved);
    return access === 'read' ? lookup.canRead(path) : lookup.canWrite(path);
  } catch {
    return false;
  }
}

function without(policy: SandboxPolicy, context: PolicyContext, removed: readonly string[]): SandboxPolicy {
  if (policy.fileSystem.type !== 'restricted' || removed.length === 0) return policy;
  const entries = policy.fileSystem.entries.filter(({ path, access }) => {
    if (access !== 'deny') return true;
    if (path.type === 'path') return !removed.includes(path.path);
    if (path.type !== 'glob') return true;
    const full = path.pattern.startsWith('/') ? path.pattern : `${context.cwd}/${path.pattern}`;
    return !removed.includes(full);
  });
  return { ...policy, fileSystem: { ...policy.fileSystem, entries } };
}
