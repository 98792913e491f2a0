// Entries of a tree on their way to the server: collected into messages of a useful size, a few of them at once. The
// server carries them out in their order, and a message whose answer was lost with its connection is sent again.

import {
  FIRST_TREE_BYTES,
  MAX_TREE_ENTRIES,
  TREE_ENTRY_BYTES,
  TREE_PAYLOAD_BYTES,
  type TreeEntry,
} from '@codex/exec-protocol';
import { concat } from '../../head-tail-buffer.js';
import type { FsContext, FsOptions } from '../fs-context.js';

/** Enough to keep both ends busy: one is read, one travels, one is written. */
const MESSAGES_AT_ONCE = 4;
/** Characters of all names in a message: six bytes each are less than half of the text that a server takes. */
const MOST_NAME_CHARACTERS = 256 * 1024;

export interface SentFile {
  readonly path: string;
  readonly bytes: number;
  /** Its first piece. */
  readonly isNew: boolean;
}

export interface TreeSenderOptions {
  readonly remote: string;
  readonly options: FsOptions;
  /** The server has it. */
  onSent(file: SentFile): void;
}

export class TreeSender {
  readonly #fs: FsContext;
  readonly #job: TreeSenderOptions;
  readonly #underWay = new Set<Promise<void>>();
  #entries: TreeEntry[] = [];
  #blocks: Uint8Array[] = [];
  /** Of the whole message, roughly; and of its payload. */
  #bytes = 0;
  #payloadBytes = 0;
  #nameCharacters = 0;
  #mostBytes = FIRST_TREE_BYTES;
  #failure: { readonly error: unknown } | undefined;

  constructor(fs: FsContext, job: TreeSenderOptions) {
    this.#fs = fs;
    this.#job = job;
  }

  /** No promise, or one that resolves when there is room for more. `bytes` are those of a file, not more than a message takes. */
  add(entry: TreeEntry, bytes?: Uint8Array): Promise<void> | undefined {
    const isFull = this.#bytes + (bytes?.length ?? 0) > this.#mostBytes;
    const names = entry.path.length + (entry.target?.length ?? 0);
    const isLong = this.#nameCharacters + names > MOST_NAME_CHARACTERS;
    if (isFull || isLong || this.#entries.length >= MAX_TREE_ENTRIES)
      return this.#flush().then(() => this.#put(entry, bytes));
    this.#put(entry, bytes);
    return undefined;
  }

  #put(entry: TreeEntry, bytes: Uint8Array | undefined): void {
    const names = entry.path.length + (entry.target?.length ?? 0);
    this.#entries.push(entry);
    this.#nameCharacters += names;
    this.#bytes += TREE_ENTRY_BYTES + names;
    if (bytes === undefined) return;
    this.#blocks.push(bytes);
    this.#payloadBytes += bytes.length;
    this.#bytes += bytes.length;
  }

  /** Resolves when the server has everything. */
  async finish(): Promise<void> {
    await this.#flush();
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  async #flush(): Promise<void> {
    if (this.#entries.length === 0) return;
    const isWaiting = this.#underWay.size >= MESSAGES_AT_ONCE;
    while (this.#underWay.size >= MESSAGES_AT_ONCE && this.#failure === undefined)
      await Promise.race(this.#underWay);
    this.#throwFailure();
    const message = this.#send(this.#entries, joinBlocks(this.#blocks, this.#payloadBytes)).catch(
      (error: unknown) => {
        this.#failure ??= { error };
      },
    );
    this.#underWay.add(message);
    void message.then(() => this.#underWay.delete(message));
    this.#entries = [];
    this.#blocks = [];
    this.#bytes = 0;
    this.#payloadBytes = 0;
    this.#nameCharacters = 0;
    // Many small messages keep two quick ends busy, and few long ones are what a long way needs.
    if (isWaiting) this.#mostBytes = Math.min(2 * this.#mostBytes, TREE_PAYLOAD_BYTES);
  }

  async #send(entries: readonly TreeEntry[], bytes: Uint8Array): Promise<void> {
    const { remote, options, onSent } = this.#job;
    const params = {
      path: this.#fs.uri(remote),
      entries: [...entries],
      dataBase64: bytes,
      ...this.#fs.sandboxOf(options),
    };
    await this.#fs.call('fs/writeTree', params, {
      path: remote,
      repeatable: true,
      signal: options.signal,
    });
    for (const { kind, path, offset = 0, length = 0 } of entries)
      if (kind === 'file') onSent({ path, bytes: length, isNew: offset === 0 });
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/** Blocks that lie one behind the other already are not copied. */
function joinBlocks(blocks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = blocks;
  if (first === undefined) return new Uint8Array(0);
  const { buffer, byteOffset } = first;
  let end = byteOffset;
  for (const block of blocks) {
    if (block.buffer !== buffer || block.byteOffset !== end) return concat(blocks, length);
    end += block.length;
  }
  return new Uint8Array(buffer, byteOffset, length);
}
