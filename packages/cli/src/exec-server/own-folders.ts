// Where the program of this server is: in its workspace, where a project has installed it. What is loaded or started later (a part of
// the program, the launcher, the console's page) runs outside of every sandbox, so no sandboxed command may change it.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';

/** The folder with the native programs, beside that of the bundle. */
const NATIVE = 'prebuilt';

/** None for an embedder, whose script may stand in the workspace itself. */
export function ownFolders({ codexExecutable, holdsOwnFiles }: ExecServerRuntimePaths): readonly string[] {
  if (holdsOwnFiles !== true) return [];
  const bundle = dirname(realpathSync(codexExecutable));
  return [bundle, join(bundle, '..', NATIVE)].filter((folder) => existsSync(folder));
}
