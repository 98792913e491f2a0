// Records what commands write, each to a file of its own (asciicast). It is off unless asked for: output holds secrets, and
// nothing masks them. A disk that is full, or a share that is used up, ends recordings and nothing else.
import type { Clock, JournalEvent } from '@codex/exec-protocol';
import type { Journal } from '../../journal/journal.js';
import type { Logger } from '../../logger.js';
import type { WatchedProcess } from '../watch/watch.js';
import { Recording } from './recording.js';
import type { RecordingFile } from './recording-file.js';
import { RecordingFolder } from './recording-folder.js';

export interface RecorderOptions {
  readonly folder: string;
  /** Of all recordings together. */
  readonly recordedBytes: number;
  readonly recordedBytesPerProcess: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** What is recorded: the server, or a part of it in a test. */
export interface RecordedServer {
  readonly journal: Pick<Journal, 'listen'>;
  watchable(session: string, processId: string): WatchedProcess | undefined;
}

type Started = Extract<JournalEvent, { kind: 'processStarted' }>;

const LAST_WAIT_MS = 2000;
/** Said once in a while: a full disk fails for every command. */
const QUIET_MS = 60_000;

export class Recorder {
  readonly #folder: RecordingFolder;
  readonly #options: RecorderOptions;
  readonly #running = new Set<Recording>();
  readonly #closing = new Set<Promise<void>>();
  #failedAt = Number.NEGATIVE_INFINITY;

  /** Rejects when the folder cannot be used: a server that is asked to record does not start without it. */
  static async open(options: RecorderOptions): Promise<Recorder> {
    return new Recorder(await RecordingFolder.open(options.folder, options.recordedBytes), options);
  }

  private constructor(folder: RecordingFolder, options: RecorderOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  follow(server: RecordedServer): void {
    server.journal.listen((event) => {
      if (event.kind === 'processStarted') this.#begin(event, server);
    });
  }

  /** Writes what waits, for a bounded time. */
  async close(): Promise<void> {
    for (const recording of this.#running) recording.finish();
    const tooLong = new Promise<void>((resolve) => setTimeout(resolve, LAST_WAIT_MS).unref());
    await Promise.race([Promise.all(this.#closing), tooLong]);
  }

  /** In the same turn: its session may end in the next one, and its log with it. */
  #begin(event: Started, server: RecordedServer): void {
    const { session, processId, atMs, argv } = event;
    const { clock, recordedBytesPerProcess: maxBytes } = this.#options;
    const process = server.watchable(session, processId);
    if (process === undefined) return;
    const file = this.#folder.create(atMs, session, processId);
    const recording = new Recording({
      process,
      file,
      clock,
      startedAtMs: atMs,
      title: argv.join(' '),
      maxBytes,
      onEnd: (ended) => {
        this.#running.delete(ended);
        this.#track(this.#closeFile(file));
      },
    });
    this.#running.add(recording);
  }

  async #closeFile(file: RecordingFile): Promise<void> {
    await file.close();
    this.#failedAt = Number.NEGATIVE_INFINITY;
  }

  /** What fails is told, and waited for when the server ends. */
  #track(work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#closing.delete(tracked));
    this.#closing.add(tracked);
  }

  #failed(error: unknown): void {
    const now = performance.now();
    if (now - this.#failedAt < QUIET_MS) return;
    this.#failedAt = now;
    const why = error instanceof Error ? error.message : String(error);
    this.#options.logger.error('output cannot be recorded', { folder: this.#options.folder, why });
  }
}
