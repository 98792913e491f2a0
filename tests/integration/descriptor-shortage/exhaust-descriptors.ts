// Opens files until this process may open no more, and gives some back on request.
import { closeSync, openSync } from 'node:fs';

export interface Shortage {
  /** Closes that many, or all. */
  giveBack(count?: number): void;
}

export function exhaustDescriptors(): Shortage {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
  return {
    giveBack: (count = taken.length) => {
      for (const fd of taken.splice(0, count)) closeSync(fd);
    },
  };
}
