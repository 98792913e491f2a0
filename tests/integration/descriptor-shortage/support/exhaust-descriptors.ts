// Opens files until this process may open no more.
import { closeSync, openSync } from 'node:fs';

export interface Shortage {
  /**
   * Exactly this many are free from now on. Asked for before every step, because Node's own threads may have closed
   * something since the last.
   */
  leave(count: number): void;
  /** Closes all that were opened here. */
  end(): void;
}

export function exhaustDescriptors(): Shortage {
  const taken: number[] = [];
  const giveBack = (count: number): void => {
    for (const fd of taken.splice(0, count)) closeSync(fd);
  };
  const shortage = {
    leave: (count: number) => {
      takeAll(taken);
      giveBack(count);
    },
    end: () => giveBack(taken.length),
  };
  shortage.leave(0);
  return shortage;
}

function takeAll(taken: number[]): void {
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EMFILE') throw error;
  }
}
