// Trees for observers. To read what lives of one takes hundreds of small files, behind awaits, where no turn of an observer is
// counted. So one is looked at at a time, whoever asks for one that waits is given the same answer, and a look is followed by
// four times as long without any.
import type { Clock, ObserveTreeResult } from '@codex/exec-protocol';
import type { ProcessEntry } from '@codex/launcher';

/** A process, as much as is needed. */
export interface TreeRoot {
  members(): Promise<readonly ProcessEntry[] | undefined>;
}

export interface TreeLooksOptions {
  readonly clock: Clock;
  readonly describe: (entries: readonly ProcessEntry[] | undefined) => Promise<ObserveTreeResult>;
  readonly now?: () => number;
}

const REST_PER_LOOK = 4;
/** On a machine where everything takes long, people still see what they look at. */
const LONGEST_REST_MS = 500;

export class TreeLooks {
  readonly #options: TreeLooksOptions;
  readonly #now: () => number;
  readonly #waiting = new Map<TreeRoot, Promise<ObserveTreeResult>>();
  #free: Promise<unknown> = Promise.resolve();

  constructor(options: TreeLooksOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  look(root: TreeRoot): Promise<ObserveTreeResult> {
    const waiting = this.#waiting.get(root);
    if (waiting !== undefined) return waiting;
    let begin = 0;
    const look = this.#free.then(async () => {
      // Who asks from here on may know of something that this look has missed.
      this.#waiting.delete(root);
      begin = this.#now();
      return this.#options.describe(await root.members());
    });
    this.#waiting.set(root, look);
    this.#free = look.catch(() => undefined).then(() => this.#rest(this.#now() - begin));
    return look;
  }

  #rest(tookMs: number): Promise<void> {
    const restMs = Math.min(tookMs * REST_PER_LOOK, LONGEST_REST_MS);
    return new Promise((resolve) => void this.#options.clock.schedule(restMs, resolve));
  }
}
