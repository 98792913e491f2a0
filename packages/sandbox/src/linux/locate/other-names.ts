// What is denied is denied under its other names too: a bind mount, or the top of a file system that is mounted as well,
// shows the same folder or file at another place.
import type { AccessMap } from './effective-access.js';
import { type MountedNames, readMountedNames } from './mounted-names.js';
import type { PathInspector } from './path-inspector.js';
import type { Steps } from './time-slices.js';

const knownNames = new Map<string, readonly string[]>();

/** What the policy names below such a place keeps its own rule; the place itself is the denied one, whatever it is granted. */
export function* denyOtherNames(
  access: AccessMap,
  inspector: PathInspector,
  readNames: () => MountedNames = readMountedNames,
): Steps<void> {
  const denied = [...access].filter(([path, wanted]) => wanted === 'deny' && path !== '/');
  let names: MountedNames | undefined;
  for (const [path] of denied) {
    yield;
    if (inspector.inspect(path).kind === 'missing') continue;
    names ??= readNames();
    for (const name of names.of(path)) {
      if (name === '/' || access.effective(name) === 'deny') continue;
      if (isSame(path, name, inspector)) access.set(name, 'deny');
    }
  }
}

/**
 * The path itself and its other names. The table of mounts is read once for each path: callers ask about the same few before every
 * command, and of mounts that are made while they run they learn nothing.
 */
export function* otherNamesOf(path: string, inspector: PathInspector): Steps<readonly string[]> {
  const names = knownNames.get(path) ?? readMountedNames().of(path);
  knownNames.set(path, names);
  yield;
  return names.filter((name) => name === path || isSame(path, name, inspector));
}

/** A mount may be covered by a later one: then something else lies there. */
function isSame(path: string, name: string, inspector: PathInspector): boolean {
  const [one, other] = [path, name].map((each) => inspector.inspect(each).identity);
  return one !== undefined && one.device === other?.device && one.inode === other.inode;
}
