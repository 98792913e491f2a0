// The environment of a program outside of the sandbox: that of the session, as it was before any sandboxed code ran, without what leads
// back to where such code can write; and of the asking process only what is listed.
import type { AdmittedNames } from './admitted-names.js';
import { searchPathOutside } from './search-path.js';
import { leadsToWritable } from './writable-sources.js';

export interface EscalatedEnvironmentOptions {
  /** What the shell was given, without the names of the interception. */
  readonly session: Readonly<Record<string, string>>;
  readonly asked: ReadonlyMap<string, string>;
  readonly admitted: AdmittedNames;
  /** Whether the sandboxed side can put something at this path. */
  readonly isWritable: (path: string) => boolean;
}

const FALLBACK_PATH = '/usr/local/bin:/usr/bin:/bin';

/** What the asking process has unset stays as it was: a missing variable can be as telling as one that is there. */
export function escalatedEnvironment(options: EscalatedEnvironmentOptions): Record<string, string> {
  const { session, asked, admitted, isWritable } = options;
  const kept = Object.entries(session).filter((variable) => !leadsToWritable(variable, isWritable));
  const environment = new Map(kept);
  for (const [name, value] of asked) if (admitted.admits(name, value)) environment.set(name, value);
  environment.set('PATH', searchPathOutside(session['PATH'] ?? FALLBACK_PATH, isWritable));
  return Object.fromEntries(environment);
}
