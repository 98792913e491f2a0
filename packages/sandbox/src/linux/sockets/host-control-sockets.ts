// Unix sockets that hand out control over the host or over the user's keys and sessions. Where a command may use unix
// sockets, these would let it out; they are hidden unless the policy names them. It does not stop: sockets elsewhere,
// abstract ones, and those that appear after the command has started.
import { type Dir, lstatSync, opendirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { SandboxError } from '../../errors.js';
import { TimeSlices } from '../locate/time-slices.js';
import { fixedPlaces, homePlaces, namedByVariable, patternsIn, type SocketPattern } from './known-sockets.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Any user can make more of them in /tmp; a start must not take for ever, nor leave some of them out. */
const maxMatches = 256;

/** What this user cannot list. Any other error (no descriptors left) says nothing about what is there. */
const nothingToList: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG']);

/** The existing ones, of this user and of root. `environments` are those whose variables name sockets. */
export async function hostControlSockets(
  environments: readonly Environment[],
  home: string = homedir(),
): Promise<string[]> {
  const places = [...fixedPlaces, ...homePlaces.map((name) => `${home}/${name}`)];
  const slices = new TimeSlices();
  const matches: string[] = [];
  for (const pattern of patternsIn({ home, temporary: ['/tmp', tmpdir()] })) {
    matches.push(...(await matchesOf(pattern, slices)));
  }
  const found = new Set([
    ...places.filter((path) => isPlace(lookAt(path))),
    ...matches,
    ...environments.flatMap(namedByVariable).flatMap(realSocket),
  ]);
  if (found.size > maxMatches) {
    throw new SandboxError(
      'SANDBOX_POLICY_UNENFORCEABLE',
      `there are more than ${maxMatches} sockets and directories of sockets to hide from the command; ` +
        'remove those that are left over in /tmp, or use a policy without unix sockets',
    );
  }
  return [...found];
}

/** A link is not followed: its author could have any other path hidden. */
async function matchesOf(
  { directory, name, onlySockets }: SocketPattern,
  slices: TimeSlices,
): Promise<string[]> {
  let listing: Dir;
  try {
    listing = opendirSync(directory, { bufferSize: 128 });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    if (nothingToList.has(code)) return [];
    throw new SandboxError('SANDBOX_PREPARE_FAILED', `cannot search ${directory} for sockets: ${code}`, {
      cause,
    });
  }
  const found: string[] = [];
  try {
    // In slices: any user can fill a temporary directory.
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
      const path = `${directory}/${entry.name}`;
      if (name.test(entry.name) && isOfInterest(lookAt(path), onlySockets)) found.push(path);
      if (found.length > maxMatches) break;
      if (slices.isOver) await slices.next();
    }
  } finally {
    listing.closeSync();
  }
  return found;
}

/** Other users' are closed to this one. */
function isOfInterest(stats: Stats | undefined, onlySockets = false): boolean {
  if (onlySockets && stats?.isSocket() !== true) return false;
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

/** What this user cannot reach, its commands cannot reach either. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}
