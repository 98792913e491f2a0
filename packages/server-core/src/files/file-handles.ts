// The open files of one connection, by the ids its client chose. An id is taken from the moment `fs/open` starts, so
// a pipelined read or a second open of it finds it. Handles do not outlive the connection.
import { Buffer } from 'node:buffer';
import type { FsLimits, OpenFile } from '@codex/exec-files';
import { FsError, invalidInput } from '@codex/exec-files';

type HandleLimits = Pick<FsLimits, 'maxOpenFiles' | 'maxHandleIdBytes'>;

interface Handle {
  readonly opening: Promise<OpenFile>;
  /** Operations under way: a descriptor is never closed, and its number never reused, under one of them. */
  users: number;
  isClosing: boolean;
}

export class FileHandles {
  readonly #handles = new Map<string, Handle>();
  readonly #limits: HandleLimits;
  #isEnded = false;

  constructor(limits: HandleLimits) {
    this.#limits = limits;
  }

  /** Takes the id at once and calls `open` at once; its failure frees the id again. */
  async open(handleId: string, open: () => Promise<OpenFile>): Promise<void> {
    this.#assertFree(handleId);
    const handle: Handle = { opening: open(), users: 1, isClosing: this.#isEnded };
    this.#handles.set(handleId, handle);
    try {
      await handle.opening;
    } catch (error) {
      if (this.#handles.get(handleId) === handle) this.#handles.delete(handleId);
      throw error;
    } finally {
      await this.#leave(handle);
    }
  }

  async use<T>(handleId: string, act: (file: OpenFile) => Promise<T>): Promise<T> {
    const handle = this.#handles.get(handleId);
    if (handle === undefined) throw unknownHandle(handleId);
    handle.users += 1;
    try {
      const file = await handle.opening.catch(() => Promise.reject(unknownHandle(handleId)));
      return await act(file);
    } finally {
      await this.#leave(handle);
    }
  }

  /** Idempotent: an id that is not open is closed. The id is free at once, the file closed after its last user. */
  async close(handleId: string): Promise<void> {
    const handle = this.#handles.get(handleId);
    if (handle === undefined) return;
    this.#handles.delete(handleId);
    handle.users += 1;
    handle.isClosing = true;
    await this.#leave(handle);
  }

  async closeAll(): Promise<void> {
    this.#isEnded = true;
    await Promise.all([...this.#handles.keys()].map((handleId) => this.close(handleId)));
  }

  #assertFree(handleId: string): void {
    const { maxOpenFiles, maxHandleIdBytes } = this.#limits;
    if (Buffer.byteLength(handleId) > maxHandleIdBytes) {
      throw invalidInput(`file handle ID must not exceed ${maxHandleIdBytes} bytes`);
    }
    if (this.#handles.has(handleId)) throw invalidInput(`file handle \`${handleId}\` already exists`);
    if (this.#handles.size >= maxOpenFiles) {
      throw invalidInput(`at most ${maxOpenFiles} file handles may be open per connection`);
    }
  }

  async #leave(handle: Handle): Promise<void> {
    handle.users -= 1;
    if (handle.users > 0 || !handle.isClosing) return;
    const file = await handle.opening.catch(() => undefined);
    await file?.close();
  }
}

function unknownHandle(handleId: string): FsError {
  return new FsError('FS_NOT_FOUND', `unknown file handle \`${handleId}\``);
}
