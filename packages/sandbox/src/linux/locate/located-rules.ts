// Carries the rules of a policy over to where the files really lie. A rule that reaches its place through a symbolic
// link which the command could change holds for one command only, so it is refused.
import { SandboxError } from '../../errors.js';
import { isStronger } from '../../policy/access-strength.js';
import { isWithin, joinPath, parentPath } from '../../policy/path-text.js';
import type { Access } from '../../policy/policy-model.js';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';
import { AccessMap } from './effective-access.js';
import { denyOtherNames, otherNamesOf } from './other-names.js';
import type { CrossedLink, LocatedPath, PathInspector } from './path-inspector.js';
import { protectMetadata } from './protected-metadata.js';
import type { Steps } from './time-slices.js';

/** Access by real path, with what was met on the way. */
export interface LocatedRules {
  readonly access: AccessMap;
  readonly guardedLinks: readonly CrossedLink[];
  /** Protected names that another user has taken, where all users may make names. */
  readonly unclaimable: readonly string[];
  /** What is denied because a glob matches it, and not by a rule that names it. */
  readonly globDenied: ReadonlySet<string>;
  /** Links on the way to a visible path, for views of the disk that start empty. */
  readonly links: readonly CrossedLink[];
}

/** What `minimal` makes readable on Linux. */
const platformDefaults: readonly string[] = [
  '/bin',
  '/sbin',
  '/usr',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/nix/store',
  '/run/current-system/sw',
];

export interface LocateRulesOptions {
  /** Existing paths that the deny globs match. A more specific grant opens them again. */
  readonly byGlob?: readonly string[];
  /** Denied whatever the policy says, and everything below. */
  readonly always?: readonly string[];
  /** Files and folders in which nothing can be written, by any of their names, whatever the policy says. What else it says of them stays. */
  readonly unchangeable?: readonly string[];
  /** What to do about a rule behind a link that the command could change. Default `refuse`. */
  readonly changeableLinks?: 'refuse' | 'follow';
}

interface LocatedRule {
  readonly spelled: string;
  readonly wanted: Access;
  readonly place: LocatedPath;
}

export function* locateRules(
  policy: ResolvedPolicy,
  inspector: PathInspector,
  options: LocateRulesOptions = {},
): Steps<LocatedRules> {
  const located: LocatedRule[] = [];
  for (const [spelled, wanted] of collectRules(policy)) {
    located.push({ spelled, wanted, place: yield* inspector.locateInSteps(spelled) });
  }
  // With every grant in place, which links could the command change?
  const everything = new AccessMap();
  for (const { place, wanted } of located) grant(everything, place.path, wanted);
  const isProtected = (link: CrossedLink): boolean =>
    everything.get(parentPath(link.path)) === 'write' &&
    policy.protectedNames.some((name) => link.path.endsWith(`/${name}`));
  const changeable = (place: LocatedPath): CrossedLink[] =>
    place.crossed.filter((link) => everything.effective(parentPath(link.path)) === 'write');

  const access = new AccessMap();
  const guarded = new Map<string, CrossedLink>();
  const uncertain: LocatedRule[] = [];
  for (const rule of located) {
    yield;
    const links = changeable(rule.place);
    for (const link of links) if (isProtected(link)) guarded.set(link.path, link);
    if (options.changeableLinks === 'follow' || links.every(isProtected))
      grant(access, rule.place.path, rule.wanted);
    else uncertain.push(rule);
  }
  // A rule behind a changeable link is harmless only when it says what holds without it.
  for (const { spelled, place, wanted } of uncertain) {
    if (access.effective(place.path) !== wanted) throw changeableLink(spelled, place);
  }
  // A glob denies names. That the target of a matching link is denied too is more than it asks for.
  // Not when something that is granted lies below it: a planted link could take a workspace away.
  const globDenied = new Set<string>();
  const opened = [policy.cwd, ...located.map(({ place }) => place.path)];
  for (const match of options.byGlob ?? []) {
    const target = (yield* inspector.locateIfPossibleInSteps(match))?.path;
    if (target === undefined) continue;
    if (isLink(match, inspector) && opened.some((path) => isWithin(path, target))) continue;
    globDenied.add(target);
    grant(access, target, 'deny');
  }
  for (const path of options.unchangeable ?? []) {
    const place = (yield* inspector.locateInSteps(path)).path;
    for (const name of yield* otherNamesOf(place, inspector)) keepUnchanged(access, name);
  }
  for (const path of options.always ?? []) denyAll(access, (yield* inspector.locateInSteps(path)).path);
  yield* denyOtherNames(access, inspector);
  const unclaimable = policy.restrictsFiles
    ? yield* protectMetadata({ policy, inspector, access, guarded })
    : [];
  const links = located.flatMap((rule) => rule.place.crossed);
  return { access, guardedLinks: [...guarded.values()], unclaimable, globDenied, links };
}

function isLink(path: string, inspector: PathInspector): boolean {
  const parent = inspector.locate(parentPath(path)).path;
  return inspector.inspect(joinPath(parent, path.slice(path.lastIndexOf('/') + 1))).kind === 'symlink';
}

function grant(access: Map<string, Access>, path: string, wanted: Access): void {
  if (isStronger(wanted, access.get(path))) access.set(path, wanted);
}

function denyAll(access: Map<string, Access>, path: string): void {
  for (const other of access.keys()) if (isWithin(other, path)) access.delete(other);
  access.set(path, 'deny');
}

function keepUnchanged(access: AccessMap, path: string): void {
  const granted = [...access].filter(([other, wanted]) => wanted === 'write' && isWithin(other, path));
  for (const [other] of granted) access.set(other, 'read');
  if (access.effective(path) === 'write') access.set(path, 'read');
}

function collectRules(policy: ResolvedPolicy): [string, Access][] {
  const rules: [string, Access][] = policy.rules.map((rule) => [rule.path, rule.access]);
  if (policy.includesPlatformDefaults) for (const path of platformDefaults) rules.push([path, 'read']);
  return rules;
}

function changeableLink(spelled: string, place: LocatedPath): SandboxError {
  const link = place.crossed.at(-1);
  return new SandboxError(
    'SANDBOX_POLICY_UNENFORCEABLE',
    `the rule for ${spelled} goes through the symbolic link ${link?.path ?? spelled}, which the command itself may ` +
      `change; name the real path ${place.path} instead`,
  );
}
