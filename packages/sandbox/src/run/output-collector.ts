// Keeps the first part of what a command prints, and passes all of it on as it comes. Back-pressure: nothing is read
// while a listener is busy.
import type { Readable } from 'node:stream';

export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr';
  readonly bytes: Uint8Array;
}

export interface OutputCollectorOptions {
  /** Bytes to keep of each stream. */
  readonly limit: number;
  readonly onOutput: ((chunk: OutputChunk) => void | Promise<void>) | undefined;
  /** The listener failed; `settled` rejects with what it threw. */
  readonly onFailure: () => void;
}

export interface KeptOutput {
  readonly text: string;
  readonly truncated: boolean;
}

export class OutputCollector {
  readonly #options: OutputCollectorOptions;
  readonly #streams: Readable[] = [];
  #failure: { readonly error: unknown } | undefined;
  /** The listener is called for one chunk at a time, over both streams. */
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: OutputCollectorOptions) {
    this.#options = options;
  }

  /** Returns what was kept, to be asked at the end. */
  collect(name: OutputChunk['stream'], stream: Readable | null): () => KeptOutput {
    const blocks: Buffer[] = [];
    let kept = 0;
    let truncated = false;
    if (stream !== null) this.#streams.push(stream);
    stream?.on('data', (block: Buffer) => {
      const room = Math.max(0, this.#options.limit - kept);
      truncated ||= block.length > room;
      blocks.push(block.subarray(0, room));
      kept += Math.min(block.length, room);
      this.#pass({ stream: name, bytes: block });
    });
    return () => ({ text: Buffer.concat(blocks).toString('utf8'), truncated });
  }

  /** When the listener has seen everything. Rejects with what it threw. */
  async settled(): Promise<void> {
    await this.#queue;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #pass(chunk: OutputChunk): void {
    const { onOutput } = this.#options;
    if (onOutput === undefined || this.#failure !== undefined) return;
    this.#waiting += 1;
    for (const stream of this.#streams) stream.pause();
    this.#queue = this.#queue.then(async () => {
      try {
        if (this.#failure === undefined) await onOutput(chunk);
      } catch (error) {
        this.#failure = { error };
        this.#options.onFailure();
      }
      this.#waiting -= 1;
      if (this.#waiting === 0) for (const stream of this.#streams) stream.resume();
    });
  }
}
