// Where the rules of a policy lie, for a program that checks paths itself: the same rules that the mounts are made from.
import type { Access } from '../../policy/policy-model.js';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';
import { locateRules } from './located-rules.js';
import { PathInspector } from './path-inspector.js';
import { inOneGo } from './time-slices.js';

export interface LocateOptions {
  /** Denied whatever the policy says, and everything below. */
  readonly alwaysDeny?: readonly string[];
  /** Nothing in them can be written, whatever the policy says. */
  readonly ownFolders?: readonly string[];
}

/**
 * Access by real path. Protected names are in it, also missing ones, and what they lead to. A link that the command could
 * change is followed as it stands, so the caller has to compare what was opened with what was found here.
 */
export function locatePolicy(
  policy: ResolvedPolicy,
  options: LocateOptions = {},
): ReadonlyMap<string, Access> {
  const denials = { always: options.alwaysDeny ?? [], unchangeable: options.ownFolders ?? [] };
  return inOneGo(locateRules(policy, new PathInspector(), { ...denials, changeableLinks: 'follow' })).access;
}

/** The same place without links; what does not exist, or leads nowhere, is kept as spelled. */
export function locatePath(path: string): string {
  return new PathInspector().locateIfPossible(path)?.path ?? path;
}
