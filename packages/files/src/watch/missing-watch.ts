// Watches paths that are missing. It reports once, and rather too often than not at all: its client looks again. It
// does not see a mount that comes over a directory.
import { pathKey } from '../native-path.js';
import type { InotifyEvent } from './inotify-relay.js';
import { isSamePlan, type PlanView, planWatch, type WatchPlan } from './missing-watch-plan.js';
import type { HubMember, WatchHub } from './watch-hub.js';
import { WatchedDirectory } from './watched-directory.js';
import type { ActiveWatch, MissingPaths } from './watcher.js';

export interface MissingWatchOptions {
  readonly hub: WatchHub;
  readonly view: PlanView;
  readonly paths: MissingPaths;
  readonly onChange: () => void;
}

/** The peer's. */
const MAX_MISSING = 64;
const MAX_DIRECTORIES = 512;

/** Undefined when there is nothing to wait for: a path is there after all, or it cannot be watched. */
export async function watchMissing(options: MissingWatchOptions): Promise<ActiveWatch | undefined> {
  const { paths, view } = options;
  if (paths.missing.length === 0 || paths.missing.length > MAX_MISSING) return undefined;
  const plan = await planWatch(paths, view);
  if (plan === undefined || plan.size > MAX_DIRECTORIES) return undefined;
  const watch = new MissingWatch(options, plan);
  const isSet = await watch.start().catch(() => false);
  // What changed while the watches were being set was not seen by them.
  const after = isSet ? await planWatch(paths, view) : undefined;
  if (after !== undefined && isSamePlan(plan, after)) return watch;
  watch.end();
  return undefined;
}

class MissingWatch implements HubMember, ActiveWatch {
  readonly #options: MissingWatchOptions;
  readonly #plan: WatchPlan;
  readonly #directories = new Map<WatchedDirectory, ReadonlySet<string>>();
  #isEnded = false;

  constructor(options: MissingWatchOptions, plan: WatchPlan) {
    this.#options = options;
    this.#plan = plan;
  }

  async start(): Promise<boolean> {
    const { hub, view } = this.#options;
    hub.join(this);
    await Promise.all(
      [...this.#plan.values()].map(({ directory: path, names }) => {
        const directory = new WatchedDirectory(path);
        this.#directories.set(directory, names);
        return view.at(directory, (at) => hub.attach({ member: this, directory }, at));
      }),
    );
    return !this.#isEnded;
  }

  handle(directory: WatchedDirectory, { name }: InotifyEvent): void {
    // An event without a name is about the directory itself.
    if (name === undefined || this.#directories.get(directory)?.has(pathKey(name))) this.#changed();
  }

  lost(): void {
    this.#changed();
  }

  overflowed(): void {
    this.#changed();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    for (const directory of this.#directories.keys()) this.#options.hub.detach(directory);
    this.#options.hub.leave(this);
  }

  #changed(): void {
    if (this.#isEnded) return;
    this.end();
    this.#options.onChange();
  }
}
