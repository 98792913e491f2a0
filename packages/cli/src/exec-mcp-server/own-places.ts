// Where this program lies. Installed in the project that it works on, it would be in the workspace: a command that rewrites it would
// run outside of the sandbox with the next call, or the next start. It does not stop: another program that the client is made
// to start in its place (a link in node_modules/.bin).
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the package whose file was started; the file alone where it is in none. */
export function ownPlaces(startedFile: string | undefined): string[] {
  if (startedFile === undefined) return [];
  let file: string;
  try {
    file = realpathSync(startedFile);
  } catch {
    return [];
  }
  for (let folder = dirname(file); folder !== '/'; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return [folder];
  }
  return [file];
}
