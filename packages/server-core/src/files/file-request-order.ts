// The order in which the file requests of one connection take effect, as a fair read-write lock: reads run side by side,
// a change waits for all earlier requests and holds back all later ones. The lock does not look at paths, because two
// paths can name one file (links, mounts, hard links).
import { otherError } from '@codex/exec-files';

interface Waiting {
  readonly isChange: boolean;
  readonly start: () => void;
}

export class FileRequestOrder {
  readonly #queue: Waiting[] = [];
  #activeReads = 0;
  #isChanging = false;
  /** Changes that are queued or under way. */
  #pendingChanges = 0;
  #isEnded = false;
  readonly #whenUnchanging: (() => void)[] = [];

  /** Everything waits for `earlier`, if there is such a thing. */
  constructor(earlier?: Promise<void>) {
    if (earlier !== undefined) void this.change(() => earlier);
  }

  /** Whether a read that arrives now has nothing to wait for. */
  get isFree(): boolean {
    return !this.#isChanging && this.#queue.length === 0 && !this.#isEnded;
  }

  /** Runs `act` once every earlier change has finished; at once when none is pending. */
  read<T>(act: () => Promise<T>): Promise<T> {
    if (!this.#isChanging && this.#queue.length === 0) return this.#runRead(act);
    return this.#enqueue(false, () => this.#runRead(act));
  }

  /** Runs `act` alone, once every earlier request has finished. */
  change<T>(act: () => Promise<T>): Promise<T> {
    this.#pendingChanges += 1;
    const isFree = !this.#isChanging && this.#activeReads === 0 && this.#queue.length === 0;
    return isFree ? this.#runChange(act) : this.#enqueue(true, () => this.#runChange(act));
  }

  /** Resolves when every change that has arrived so far has finished; undefined when there is none to wait for. */
  settled(): Promise<void> | undefined {
    return this.#pendingChanges === 0 ? undefined : this.read(async () => undefined);
  }

  /** The same for an order that may have ended: what it has not started fails, and is not waited for. */
  get unchanging(): Promise<void> | undefined {
    if (this.#pendingChanges === 0) return undefined;
    return new Promise((resolve) => this.#whenUnchanging.push(resolve));
  }

  /** What has not started fails; what has started finishes. */
  end(): void {
    this.#isEnded = true;
  }

  #enqueue<T>(isChange: boolean, run: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ isChange, start: () => void run().then(resolve, reject) });
    });
  }

  async #runRead<T>(act: () => Promise<T>): Promise<T> {
    this.#activeReads += 1;
    try {
      this.#assertOpen();
      return await act();
    } finally {
      this.#activeReads -= 1;
      this.#advance();
    }
  }

  async #runChange<T>(act: () => Promise<T>): Promise<T> {
    this.#isChanging = true;
    try {
      this.#assertOpen();
      return await act();
    } finally {
      this.#isChanging = false;
      this.#pendingChanges -= 1;
      if (this.#pendingChanges === 0) for (const told of this.#whenUnchanging.splice(0)) told();
      this.#advance();
    }
  }

  #assertOpen(): void {
    if (this.#isEnded) throw otherError('the connection ended before this request was started');
  }

  #advance(): void {
    while (!this.#isChanging) {
      const next = this.#queue[0];
      if (next === undefined || (next.isChange && this.#activeReads > 0)) return;
      this.#queue.shift();
      next.start();
    }
  }
}
