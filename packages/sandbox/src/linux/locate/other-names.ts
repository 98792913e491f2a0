// What is denied is denied under its other names too: a bind mount, or the top of a file system that is mounted as well,
// shows the same folder or file at another place.
import type { AccessMap } from './effective-access.js';
import { type MountedNames, readMountedNames } from './mounted-names.js';
import type { PathInspector } from './path-inspector.js';
import type { Steps } from './time-slices.js';

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
    const { kind, identity } = inspector.inspect(path);
    if (kind === 'missing' || identity === undefined) continue;
    names ??= readNames();
    for (const name of names.of(path)) {
      if (name === '/' || access.effective(name) === 'deny') continue;
      // A mount may be covered by a later one: then something else lies there.
      const other = inspector.inspect(name).identity;
      if (other?.device !== identity.device || other.inode !== identity.inode) continue;
      access.set(name, 'deny');
    }
  }
}
