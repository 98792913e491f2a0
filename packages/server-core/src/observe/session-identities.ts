// Whose session it was: the journal tells of sessions that are over, and only to those who could have seen them.
import type { JournalEvent } from '@codex/exec-protocol';
import type { Journal } from '../journal/journal.js';

/** More sessions than the journal has room to tell of. */
const MAX_KNOWN = 16_384;

export class SessionIdentities {
  readonly #identities = new Map<string, string>();

  constructor(journal: Journal) {
    journal.listen((event) => this.#note(event));
  }

  get(session: string): string | undefined {
    return this.#identities.get(session);
  }

  #note(event: JournalEvent): void {
    if (event.kind !== 'sessionOpened') return;
    this.#identities.set(event.session, event.identity);
    const [oldest] = this.#identities.keys();
    if (this.#identities.size > MAX_KNOWN && oldest !== undefined) this.#identities.delete(oldest);
  }
}
