// The changes of one watch on their way out of the helper: only what the policy shows, and only while what is watched is
// in its place. Whether it is, is looked at after the changes happened and before they are told.

import { toWirePath, type WatchNews, type WireChange } from '../../helper-protocol/helper-messages.js';
import type { NativePath } from '../../native-path.js';
import type { ChangeSink } from '../../watch/watcher.js';
import type { GuardedScope } from './watch-places.js';

export interface ReportedChangesOptions {
  readonly scope: GuardedScope;
  readonly send: (news: WatchNews) => void;
}

const CHANGES_PER_MESSAGE = 2000;
/** More of them wait only when looking takes very long. */
const MAX_PENDING = 50_000;

export class ReportedChanges implements ChangeSink {
  readonly #options: ReportedChangesOptions;
  #pending: WireChange[] = [];
  #hasOverflow = false;
  #isLosing = false;
  #isTelling = false;
  #isEnded = false;

  constructor(options: ReportedChangesOptions) {
    this.#options = options;
  }

  add(kind: 'created' | 'modified' | 'removed', path: NativePath): void {
    if (this.#options.scope.shows(path)) this.#push([kind, toWirePath(path)]);
  }

  rename(previousPath: NativePath, path: NativePath): void {
    const { scope } = this.#options;
    if (!scope.shows(path)) return;
    // An entry that comes out of hiding is reported as new: its former name was hidden from the client.
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
    this.#drop();
  }

  end(): void {
    this.#isEnded = true;
  }

  #push(change: WireChange): void {
    if (this.#isLosing) return;
    if (this.#pending.length >= MAX_PENDING) this.#drop();
    this.#pending.push(change);
    this.#wake();
  }

  #drop(): void {
    this.#pending = [];
    this.#hasOverflow = true;
    this.#wake();
  }

  #wake(): void {
    if (this.#isTelling) return;
    this.#isTelling = true;
    setImmediate(() => void this.#tell());
  }

  async #tell(): Promise<void> {
    while ((this.#pending.length > 0 || this.#hasOverflow) && !this.#isEnded) {
      const changes = this.#pending;
      const hasOverflow = this.#hasOverflow;
      this.#pending = [];
      this.#hasOverflow = false;
      const isInPlace = await this.#options.scope.isInPlace();
      this.#send(isInPlace ? news(changes, hasOverflow) : [{ type: 'gone' }]);
    }
    this.#isTelling = false;
  }

  #send(all: readonly WatchNews[]): void {
    for (const each of all) {
      if (this.#isEnded) return;
      if (each.type === 'gone') this.#isEnded = true;
      this.#options.send(each);
    }
  }
}

function news(changes: readonly WireChange[], hasOverflow: boolean): WatchNews[] {
  const all: WatchNews[] = hasOverflow ? [{ type: 'overflow' }] : [];
  for (let at = 0; at < changes.length; at += CHANGES_PER_MESSAGE) {
    all.push({ type: 'changes', changes: changes.slice(at, at + CHANGES_PER_MESSAGE) });
  }
  return all;
}
