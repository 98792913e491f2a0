// One local file, to a server that takes trees: as a tree whose root is that file. Its pieces go to a partial file beside the
// target, which gets its name with the last of them; a piece whose answer was lost with its connection is sent again.

import { TREE_PAYLOAD_BYTES, type TreeEntry } from '@codex/exec-protocol';
import type { LocalSource } from '../../platform.js';
import { joinPath } from '../../remote-path.js';
import type { FsContext, FsOptions } from '../fs-context.js';
import { changedMeanwhile } from './changed-meanwhile.js';

export interface FileUpload {
  /** Names it in errors. */
  readonly local: string;
  readonly source: LocalSource;
  readonly remote: string;
  readonly options: FsOptions;
  onBytes(bytes: number): void;
}

/** Enough to keep both ends busy: one is read, one travels, one is written. */
const PIECES_AT_ONCE = 4;

export async function uploadFile(fs: FsContext, upload: FileUpload): Promise<void> {
  const partial = crypto.randomUUID();
  try {
    await new PieceSender(fs, upload, partial).sendAll();
  } catch (error) {
    // The server has removed it, unless it was this end that gave up.
    const path = joinPath(parentOf(fs.absolute(upload.remote)), `.${partial}.part`);
    const remove = { path: fs.uri(path), recursive: false, force: true, ...fs.sandboxOf(upload.options) };
    await fs.link.call('fs/remove', remove, { repeatable: true }).catch(() => undefined);
    throw error;
  }
}

class PieceSender {
  readonly #fs: FsContext;
  readonly #upload: FileUpload;
  readonly #entry: TreeEntry;
  readonly #size: number;
  readonly #underWay: Promise<void>[] = [];
  /** Of pieces that the server has. */
  readonly #spare: Uint8Array[] = [];

  constructor(fs: FsContext, upload: FileUpload, partial: string) {
    const { size, mode, modifiedAtMs } = upload.source;
    this.#fs = fs;
    this.#upload = upload;
    this.#size = size;
    const attributes = mode === undefined ? { modifiedAtMs } : { mode, modifiedAtMs };
    this.#entry = { path: '', kind: 'file', size, partial, ...attributes };
  }

  async sendAll(): Promise<void> {
    let offset = 0;
    do {
      const piece = await this.#read(offset);
      const sent = this.#send(piece, offset);
      sent.catch(() => undefined);
      this.#underWay.push(sent);
      offset += piece.length;
      if (this.#underWay.length >= PIECES_AT_ONCE) await this.#underWay.shift();
    } while (offset < this.#size);
    await Promise.all(this.#underWay);
  }

  /** What the last piece makes whole was one and the same file from its first byte to its last. */
  async #read(offset: number): Promise<Uint8Array> {
    const { source, local } = this.#upload;
    const length = Math.min(TREE_PAYLOAD_BYTES, this.#size - offset);
    const memory = (this.#spare.pop() ?? new Uint8Array(Math.min(TREE_PAYLOAD_BYTES, this.#size))).subarray(
      0,
      length,
    );
    const count = await source.read(memory, offset);
    const isLast = offset + length === this.#size;
    if (count < length || (isLast && (await source.hasChanged()))) throw changedMeanwhile(local, 'here');
    return memory;
  }

  async #send(bytes: Uint8Array, offset: number): Promise<void> {
    const { remote, options, onBytes } = this.#upload;
    const place = offset === 0 ? {} : { offset };
    const params = {
      path: this.#fs.uri(remote),
      entries: [{ ...this.#entry, ...place, length: bytes.length }],
      dataBase64: bytes,
      ...this.#fs.sandboxOf(options),
    };
    await this.#fs.call('fs/writeTree', params, { path: remote, repeatable: true, signal: options.signal });
    this.#spare.push(new Uint8Array(bytes.buffer));
    onBytes(bytes.length);
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
