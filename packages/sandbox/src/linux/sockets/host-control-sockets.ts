// Unix sockets that hand out control over the host or over the user's keys and sessions. Where a command may use unix
// sockets, these would let it out; they are hidden unless the policy names them. It does not stop: sockets elsewhere,
// abstract ones, and those that appear after the command has started.
import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { SandboxError } from '../../errors.js';
import { fixedPlaces, homePlaces, namedByVariable, patternsIn, type SocketPattern } from './known-sockets.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Any user can make more of them in /tmp; a start must not take for ever, nor leave some of them out. */
const maxMatches = 256;

/** The existing ones, of this user and of root. `environments` are those whose variables name sockets. */
export function hostControlSockets(environments: readonly Environment[]): string[] {
  const home = homedir();
  const places = [...fixedPlaces, ...homePlaces.map((name) => `${home}/${name}`)];
  const found = new Set([
    ...places.filter((path) => isPlace(lookAt(path))),
    ...patternsIn({ home, temporary: ['/tmp', tmpdir()] }).flatMap(matchesOf),
    ...environments.flatMap(namedByVariable).flatMap(realSocket),
  ]);
  if (found.size > maxMatches) {
    throw new SandboxError(
      'SANDBOX_POLICY_UNENFORCEABLE',
      `there are ${found.size} sockets and directories of sockets to hide from the command, more than ${maxMatches}; ` +
        'remove those that are left over in /tmp, or use a policy without unix sockets',
    );
  }
  return [...found];
}

/** A link is not followed: its author could have any other path hidden. */
function matchesOf({ directory, name }: SocketPattern): string[] {
  let names: string[];
  try {
    names = readdirSync(directory);
  } catch {
    return [];
  }
  return names
    .filter((candidate) => name.test(candidate))
    .map((candidate) => `${directory}/${candidate}`)
    .filter((path) => isOfInterest(lookAt(path)));
}

/** Other users' are closed to this one. */
function isOfInterest(stats: Stats | undefined): boolean {
  return isPlace(stats) && (stats?.uid === 0 || stats?.uid === process.getuid?.());
}

function isPlace(stats: Stats | undefined): boolean {
  return stats?.isDirectory() === true || stats?.isSocket() === true;
}

/** Where a variable leads, if a socket is there. Nothing else is hidden because a variable names it. */
function realSocket(path: string): string[] {
  try {
    return statSync(path).isSocket() ? [realpathSync(path)] : [];
  } catch {
    return [];
  }
}

function lookAt(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
