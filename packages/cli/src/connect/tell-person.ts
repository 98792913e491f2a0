// A line on stderr for a person. Where nobody can read it, nothing happens: a terminal that is gone is no failure.

import { writeSync } from 'node:fs';

const STDERR = 2;

export function tellPerson(text: string): void {
  try {
    writeSync(STDERR, text);
  } catch {
    // EIO, EPIPE: there is nobody to tell.
  }
}
