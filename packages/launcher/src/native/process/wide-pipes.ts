// Which commands get pipes for their output, or behind their terminal, that hold more. The kernel counts what the pipes of a user may
// hold (64 MiB by default, for everyone but root), and once that is used up every new pipe of the user holds a page or two: so few
// commands have them at a time, which together take up a quarter of it, and the others have pipes as ever.

const MOST_COMMANDS = 32;

export interface WidePipesGrant {
  /** Nothing of the command is left. May be called again. */
  release(): void;
}

export class WidePipes {
  #granted = 0;

  /** Undefined: the command has ordinary ones. */
  take(): WidePipesGrant | undefined {
    if (this.#granted >= MOST_COMMANDS) return undefined;
    this.#granted++;
    let isHeld = true;
    return {
      release: () => {
        if (isHeld) this.#granted--;
        isHeld = false;
      },
    };
  }
}
