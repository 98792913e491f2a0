// Protected names that could not be covered: in a directory such as /tmp, where all users may make names, the name is
// taken by another user, and only that user can remove it. Should it go while the command runs, the command can
// make one of its own. What it made is moved aside afterwards, because programs of this user trust what this user owns.
// What it does not stop: until the command has ended it is there.

import type { HostPlace } from './mount-point-directory.js';
import { moveAside } from './move-aside.js';

export function moveAwayPlanted(places: readonly HostPlace[]): string[] {
  return places.flatMap(({ directory, name }) => {
    const path = `${directory.path}/${name}`;
    try {
      const found = directory.look(name);
      if (found === undefined || Number(found.uid) !== process.geteuid?.()) return [];
      const aside = moveAside(directory, name, 'planted-in-sandbox');
      return [`${path} appeared while the command ran; it is kept as ${directory.path}/${aside ?? name}`];
    } catch (error) {
      return [
        `${path} appeared while the command ran, and it could not be moved aside: ${(error as Error).message}`,
      ];
    }
  });
}
