// What the spelling of a path says, and what only the file system knows.

/** Without a step back (`..`): behind a link, that leads elsewhere than the spelling says. */
export function isSpelledOut(path: string): boolean {
  return !path.split('/').includes('..');
}
