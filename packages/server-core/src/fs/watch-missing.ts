// The watch of one connection over paths that are missing. It tells once, and rather too often than not at all: its
// client looks again. It does not see a mount that comes over a directory.
import type { NativePath } from './native-path.js';
import { pathKey } from './native-path.js';
import type { InotifyEvent } from './watch/inotify-relay.js';
import { type HubMember, WatchHub } from './watch/watch-hub.js';
import { WatchedDirectory } from './watch/watched-directory.js';
import { isSamePlan, planWatch, type WatchPlan } from './watch-missing-plan.js';

export interface MissingRequest {
  readonly watchId: number;
  readonly missing: readonly NativePath[];
  readonly present: NativePath | undefined;
}

/** The peer's. */
const MAX_MISSING = 64;
const MAX_DIRECTORIES = 512;

export class MissingWatches {
  readonly #hub: WatchHub;
  #lastId = -1;
  #current: MissingWatch | undefined;

  /** Without the program nothing can be watched, and every request is answered so. */
  constructor(watchProgram: string | undefined) {
    this.#hub = new WatchHub(watchProgram);
  }

  /** Undefined when there is nothing to wait for. */
  async add({ watchId, missing, present }: MissingRequest): Promise<MissingWatch | undefined> {
    if (watchId <= this.#lastId) return undefined;
    this.#lastId = watchId;
    this.#replaceBy(undefined);
    if (missing.length === 0 || missing.length > MAX_MISSING) return undefined;
    const plan = await planWatch(missing, present);
    if (plan === undefined || plan.size > MAX_DIRECTORIES) return undefined;
    const watch = new MissingWatch(this.#hub, plan);
    const isSet = await watch.start().catch(() => false);
    // What changed while the watches were being set was not seen by them.
    const after = isSet ? await planWatch(missing, present) : undefined;
    if (after === undefined || !isSamePlan(plan, after) || this.#lastId !== watchId) {
      watch.end();
      return undefined;
    }
    this.#replaceBy(watch);
    return watch;
  }

  end(): void {
    this.#lastId = Number.POSITIVE_INFINITY;
    this.#replaceBy(undefined);
  }

  #replaceBy(watch: MissingWatch | undefined): void {
    this.#current?.end();
    this.#current = watch;
  }
}

export class MissingWatch implements HubMember {
  readonly #hub: WatchHub;
  readonly #plan: WatchPlan;
  readonly #directories = new Map<WatchedDirectory, ReadonlySet<string>>();
  #onChange: (() => void) | undefined;
  #hasChanged = false;
  #isEnded = false;

  constructor(hub: WatchHub, plan: WatchPlan) {
    this.#hub = hub;
    this.#plan = plan;
  }

  async start(): Promise<boolean> {
    this.#hub.join(this);
    await Promise.all(
      [...this.#plan.values()].map(({ directory, names }) => {
        const watched = new WatchedDirectory(directory);
        this.#directories.set(watched, names);
        return this.#hub.attach(this, watched);
      }),
    );
    return !this.#isEnded;
  }

  /** From here on a change is told, also one that came before. */
  tell(onChange: () => void): void {
    this.#onChange = onChange;
    if (this.#hasChanged) this.#changed();
  }

  handle(directory: WatchedDirectory, { name }: InotifyEvent): void {
    // An event without a name is about the directory itself.
    if (name === undefined || this.#directories.get(directory)?.has(pathKey(name))) this.#changed();
  }

  overflowed(): void {
    this.#changed();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const directory of this.#directories.keys()) this.#hub.detach(directory);
    this.#hub.leave(this);
  }

  #changed(): void {
    this.#hasChanged = true;
    const tell = this.#onChange;
    if (tell === undefined || this.#isEnded) return;
    this.end();
    tell();
  }
}
