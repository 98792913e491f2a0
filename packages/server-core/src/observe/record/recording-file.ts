// One file that is written behind the back of the command whose output it holds: nobody waits for it.
import type { FileHandle } from 'node:fs/promises';
import { CodedError } from '@codex/exec-protocol';

export interface RecordingFileOptions {
  /** Resolves with whether there is room for so many bytes more. */
  claim(bytes: number): Promise<boolean>;
  /** What is in the file, and what room was claimed for; that is more where writing failed. */
  closed(written: number, claimed: number): void;
}

export class RecordingFile {
  readonly #handle: Promise<FileHandle>;
  readonly #options: RecordingFileOptions;
  #waiting: string[] = [];
  #bytes = 0;
  #claimed = 0;
  #writing: Promise<void> | undefined;
  #trouble: Error | undefined;
  /** Nothing waits any more. */
  onDrain: () => void = () => undefined;
  waitingBytes = 0;

  /** The file may still be being opened: a command can be over before it is. */
  constructor(handle: Promise<FileHandle>, options: RecordingFileOptions) {
    this.#handle = handle;
    this.#options = options;
    // Told when it is closed.
    handle.catch(() => undefined);
  }

  write(text: string): void {
    if (this.#trouble !== undefined) return;
    this.#waiting.push(text);
    this.waitingBytes += text.length;
    this.#writing ??= this.#flush().finally(() => {
      this.#writing = undefined;
      this.onDrain();
    });
  }

  /** Rejects with what went wrong with it, if anything did. */
  async close(): Promise<void> {
    await this.#writing;
    await (await this.#handle).close();
    this.#options.closed(this.#bytes, this.#claimed);
    if (this.#trouble !== undefined) throw this.#trouble;
  }

  async #flush(): Promise<void> {
    try {
      const handle = await this.#handle;
      while (this.#waiting.length > 0) {
        const bytes = Buffer.from(this.#waiting.join(''));
        this.#waiting = [];
        this.waitingBytes = 0;
        if (!(await this.#options.claim(bytes.length))) throw new RecordingsFullError();
        this.#claimed += bytes.length;
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await handle.write(bytes, done);
          done += bytesWritten;
          this.#bytes += bytesWritten;
        }
      }
    } catch (error) {
      this.#trouble = error as Error;
      this.#waiting = [];
      this.waitingBytes = 0;
    }
  }
}

class RecordingsFullError extends CodedError<'RECORDINGS_FULL'> {
  constructor() {
    super(
      'RECORDINGS_FULL',
      'the recordings that are being written take all that recordings may take (--recorded-bytes)',
    );
  }
}
