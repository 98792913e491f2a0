// One `fs/watch` under a policy. It runs in a helper, and outlives it: when the helper is lost, or a granted path has
// come to be another file, it is set up again in a new helper, and the client is told that changes may have been lost.

import type { Clock, Timer } from '@codex/exec-protocol';
import { FsError } from '../../fs-error.js';
import {
  fromWirePath,
  toWirePath,
  type WatchNews,
  type WireChange,
} from '../../helper-protocol/helper-messages.js';
import type { ActiveWatch, ChangeSink, WatchTarget } from '../../watch/watcher.js';
import type { HelperHold } from '../calls/helper-source.js';
import type { RequestedPolicy } from '../policy/requested-policy.js';
import { PlaceWatch } from './granted-places.js';
import { openHelperWatch } from './helper-watch.js';

export interface SandboxedWatchOptions {
  readonly source: HelperHold;
  readonly policy: RequestedPolicy;
  readonly clock: Clock;
  readonly target: WatchTarget;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 30_000;
/** Messages of a helper that wait because looking at the granted paths takes very long; each has at most 2000 changes. */
const MAX_PENDING = 50;

interface Told {
  readonly news: WatchNews;
  readonly generation: number;
}

export class SandboxedWatch implements ActiveWatch {
  readonly #options: SandboxedWatchOptions;
  readonly #places: PlaceWatch;
  #current: ActiveWatch | undefined;
  /** Rises when a set-up is given up: what it still says is not listened to. */
  #generation = 0;
  #pending: Told[] = [];
  #isTelling = false;
  #isRestoring = false;
  #retry: Timer | undefined;
  #isEnded = false;

  private constructor(options: SandboxedWatchOptions, places: PlaceWatch) {
    this.#options = options;
    this.#places = places;
  }

  static async start(options: SandboxedWatchOptions): Promise<SandboxedWatch> {
    // First, so that no replacement after the set-up is missed.
    const places = await PlaceWatch.start({ policy: options.policy.resolved, clock: options.clock });
    const watch = new SandboxedWatch(options, places);
    places.onChange = () => watch.#again();
    try {
      await watch.#setUp();
    } catch (error) {
      watch.end();
      throw error;
    }
    return watch;
  }

  end(): void {
    this.#isEnded = true;
    this.#places.end();
    this.#retry?.cancel();
    this.#drop();
  }

  /** False when it was given up meanwhile. */
  async #setUp(): Promise<boolean> {
    const { source, target } = this.#options;
    const { path, recursive, maxDirectories } = target;
    const generation = this.#generation;
    const isCurrent = () => generation === this.#generation;
    const watch = await openHelperWatch({
      source,
      setUp: async (helper, number) => {
        const args = { watch: number, path: toWirePath(path), recursive, maxDirectories };
        await helper.call({ operation: 'watch', args });
        return true;
      },
      news: (news) => this.#receive({ news, generation }),
      lost: () => isCurrent() && this.#again(),
    });
    if (isCurrent()) this.#current = watch;
    else watch?.end();
    return isCurrent();
  }

  #drop(): void {
    this.#generation += 1;
    this.#pending = [];
    this.#current?.end();
    this.#current = undefined;
  }

  #again(): void {
    if (this.#isEnded) return;
    this.#drop();
    if (!this.#isRestoring) void this.#restore();
  }

  /** Until it is set up again, or there is nothing to watch: then it waits for a granted path to change. */
  async #restore(): Promise<void> {
    const { changes, path } = this.#options.target;
    this.#isRestoring = true;
    for (let wait = FIRST_RETRY_MS; this.#current === undefined && !this.#isEnded; ) {
      const generation = this.#generation;
      try {
        if (await this.#setUp()) changes.overflow();
      } catch (error) {
        if (generation !== this.#generation) continue;
        if (isAbsence(error)) {
          changes.add('removed', path);
          changes.overflow();
          break;
        }
        await this.#pause(wait);
        wait = Math.min(wait * 2, LAST_RETRY_MS);
      }
    }
    this.#isRestoring = false;
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#retry = this.#options.clock.schedule(milliseconds, resolve);
    });
  }

  #receive(told: Told): void {
    if (this.#pending.length >= MAX_PENDING) {
      this.#pending = [{ news: { type: 'overflow' }, generation: told.generation }];
    }
    this.#pending.push(told);
    if (!this.#isTelling) void this.#tell();
  }

  /** A granted directory that was moved away goes on in its helper; what happens in it then is not told. */
  async #tell(): Promise<void> {
    this.#isTelling = true;
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      await this.#places.look();
      try {
        for (const { news, generation } of batch) if (generation === this.#generation) this.#take(news);
      } catch {
        // What makes no sense comes from a helper that is not well.
        this.#again();
      }
    }
    this.#isTelling = false;
  }

  #take(news: WatchNews): void {
    const { changes, path } = this.#options.target;
    if (news.type === 'changes') for (const change of news.changes) addChange(changes, change);
    else if (news.type === 'overflow') changes.overflow();
    else {
      changes.add('removed', path);
      changes.overflow();
    }
  }
}

function addChange(changes: ChangeSink, [kind, path, previousPath]: WireChange): void {
  if (kind === 'renamed') changes.rename(fromWirePath(previousPath), fromWirePath(path));
  else changes.add(kind, fromWirePath(path));
}

function isAbsence(error: unknown): boolean {
  return error instanceof FsError && error.errno !== undefined;
}
