// The environment of a program outside of the sandbox: that of the session, as it was before any sandboxed code ran, without what leads
// back to where such code can write; and of the asking process only what is listed.
import type { AdmittedNames } from './admitted-names.js';
import { searchPathOutside } from './search-path.js';
import { leadsToWritable } from './writable-sources.js';

export type Environment = Readonly<Record<string, string>>;

const FALLBACK_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * Of the session, which is what the shell was given without the names of the interception. `isWritable`: whether the sandboxed side can
 * put something at a path. It holds as long as that is so: a call that begins beside this one may have a wider sandbox.
 */
export function sessionOutside(session: Environment, isWritable: (path: string) => boolean): Environment {
  const kept = Object.entries(session).filter((variable) => !leadsToWritable(variable, isWritable));
  const path = searchPathOutside(session['PATH'] ?? FALLBACK_PATH, isWritable);
  return { ...Object.fromEntries(kept), PATH: path };
}

/** What the asking process has unset stays as it was: a missing variable can be as telling as one that is there. */
export function escalatedEnvironment(
  outside: Environment,
  asked: ReadonlyMap<string, string>,
  admitted: AdmittedNames,
): Record<string, string> {
  const taken = [...asked].filter(([name, value]) => admitted.admits(name, value));
  return { ...outside, ...Object.fromEntries(taken) };
}
