// The folder of recordings: names, and how much all of them may take together. The oldest that is finished goes when there is
// no room for more; what other files lie there is not touched.
import { mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordingFile } from './recording-file.js';

/** Only its owner reads what commands wrote. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const NAME = /^\d{8}T\d{9}Z-[\w-]+\.cast$/;
const NAME_PART_LENGTH = 40;

interface Finished {
  readonly name: string;
  readonly bytes: number;
}

export class RecordingFolder {
  readonly #path: string;
  readonly #maxBytes: number;
  /** Oldest first. */
  readonly #finished: Finished[];
  #bytes: number;
  #nextNumber = 1;
  /** One after the other: two that make room at once would both take the same away. */
  #removing: Promise<void> = Promise.resolve();

  /** Rejects when it cannot be used. What is there from earlier counts. */
  static async open(path: string, maxBytes: number): Promise<RecordingFolder> {
    await mkdir(path, { mode: FOLDER_MODE }).catch((error: unknown) => {
      if (Reflect.get(Object(error), 'code') !== 'EEXIST') throw error;
    });
    const names = (await readdir(path)).filter((name) => NAME.test(name)).sort();
    const finished = await Promise.all(
      names.map(async (name) => ({ name, bytes: (await stat(join(path, name))).size })),
    );
    // Whether it can be written is found out now, not with the first command.
    const trial = join(path, `.trial-${process.pid}`);
    await (await open(trial, 'wx', FILE_MODE)).close();
    await unlink(trial);
    return new RecordingFolder(path, maxBytes, finished);
  }

  private constructor(path: string, maxBytes: number, finished: Finished[]) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#finished = finished;
    this.#bytes = finished.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  create(startedAtMs: number, session: string, processId: string): RecordingFile {
    const stamp = new Date(startedAtMs).toISOString().replaceAll(/[-:.]/g, '');
    const part = processId.replaceAll(/[^\w-]+/g, '_').slice(0, NAME_PART_LENGTH);
    const name = `${stamp}-${session}-${part}-${process.pid}-${this.#nextNumber++}.cast`;
    return new RecordingFile(open(join(this.#path, name), 'wx', FILE_MODE), {
      claim: (bytes) => this.#claim(bytes),
      closed: (bytes, claimed) => {
        this.#finished.push({ name, bytes });
        this.#bytes -= claimed - bytes;
      },
    });
  }

  /** Resolves with whether there is room for so many bytes more. */
  async #claim(bytes: number): Promise<boolean> {
    this.#bytes += bytes;
    const removed = this.#removing.then(() => this.#makeRoom());
    this.#removing = removed;
    await removed;
    if (this.#bytes <= this.#maxBytes) return true;
    this.#bytes -= bytes;
    return false;
  }

  async #makeRoom(): Promise<void> {
    while (this.#bytes > this.#maxBytes) {
      const oldest = this.#finished.shift();
      if (oldest === undefined) return;
      await unlink(join(this.#path, oldest.name)).catch(() => undefined);
      this.#bytes -= oldest.bytes;
    }
  }
}
