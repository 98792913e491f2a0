// The changes of one watch on their way out of the helper: only what the policy shows, and only while what is watched is
// in its place. Whether it is, is looked at after the changes happened and before they are told.
import type { NativePath } from '../../fs/native-path.js';
import type { ChangeSink } from '../../fs/watch/watcher.js';
import { toWirePath, type WatchNews, type WireChange } from '../helper-messages.js';
import type { GuardedScope } from './watch-places.js';

export interface ReportedChangesOptions {
  readonly scope: GuardedScope;
  readonly send: (news: WatchNews) => void;
}

const CHANGES_PER_MESSAGE = 2000;

export class ReportedChanges implements ChangeSink {
  readonly #options: ReportedChangesOptions;
  #pending: WireChange[] = [];
  #isLosing = false;
  #isEnded = false;
  #isScheduled = false;
  #told: Promise<void> = Promise.resolve();

  constructor(options: ReportedChangesOptions) {
    this.#options = options;
  }

  add(kind: 'created' | 'modified' | 'removed', path: NativePath): void {
    if (this.#options.scope.shows(path)) this.#push([kind, toWirePath(path)]);
  }

  rename(previousPath: NativePath, path: NativePath): void {
    const { scope } = this.#options;
    if (!scope.shows(path)) return;
    // Of an entry that comes out of hiding nobody knows that it had another name.
    if (!scope.shows(previousPath)) this.#push(['created', toWirePath(path)]);
    else this.#push(['renamed', toWirePath(path), toWirePath(previousPath)]);
  }

  /** A directory may have been moved without its being noticed: what is said of its entries may be about hidden ones. */
  losing(): void {
    this.#isLosing = true;
    this.#pending = [];
  }

  overflow(): void {
    this.#isLosing = false;
    this.#flush({ type: 'overflow' });
  }

  end(): void {
    this.#isEnded = true;
  }

  #push(change: WireChange): void {
    if (this.#isLosing) return;
    this.#pending.push(change);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(last?: WatchNews): void {
    this.#isScheduled = false;
    const changes = this.#pending;
    this.#pending = [];
    this.#told = this.#told.then(() => this.#tell(changes, last));
  }

  async #tell(changes: readonly WireChange[], last: WatchNews | undefined): Promise<void> {
    const isInPlace = await this.#options.scope.isInPlace();
    if (this.#isEnded) return;
    const { send } = this.#options;
    if (!isInPlace) {
      this.#isEnded = true;
      send({ type: 'gone' });
      return;
    }
    for (let at = 0; at < changes.length; at += CHANGES_PER_MESSAGE) {
      send({ type: 'changes', changes: changes.slice(at, at + CHANGES_PER_MESSAGE) });
    }
    if (last !== undefined) send(last);
  }
}
