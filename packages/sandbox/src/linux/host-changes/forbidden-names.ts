// Names that the command must not leave behind where they were missing before.
import type { HostPlace } from './mount-point-directory.js';
import { removeTree } from './remove-tree.js';

/** Deletes what the command created there, and says so. */
export async function removeForbidden(places: readonly HostPlace[]): Promise<string[]> {
  const said: string[] = [];
  for (const { directory, name } of places) {
    const path = `${directory.path}/${name}`;
    try {
      if (directory.look(name) === undefined) continue;
      await removeTree(directory, name);
      said.push(`the command created ${path}; it was removed`);
    } catch (error) {
      said.push(`the command created ${path}, and it could not be removed: ${(error as Error).message}`);
    }
  }
  return said;
}
