// The recording of one process: a watcher of its log that writes it down as it goes. It is in nobody's way: what the log drops
// before it was read is a marker with a count, and beyond its share nothing is read.
import { AsciicastWriter, type Clock, type Timer } from '@codex/exec-protocol';
import type { ProcessWatcher } from '../../process/read/process-watchers.js';
import type { SizeCursor } from '../../process/read/terminal-sizes.js';
import type { WatchedProcess } from '../watch/watch.js';
import type { WatchedLog } from '../watch/watched-log.js';
import type { RecordingFile } from './recording-file.js';

export interface RecordingOptions {
  readonly process: WatchedProcess;
  readonly file: RecordingFile;
  readonly clock: Clock;
  readonly startedAtMs: number;
  readonly title: string;
  readonly maxBytes: number;
  /** Nothing more is written. */
  onEnd(recording: Recording): void;
}

/** Often enough for who looks at the file while it grows; seldom enough not to cut output into small blocks. */
const LOOK_MS = 100;
/** Read in one turn of the event loop, and what may wait for the disk. */
const SLICE_BYTES = 256 * 1024;
const USUAL_SIZE = { cols: 80, rows: 24 };

export class Recording implements ProcessWatcher {
  readonly #options: RecordingOptions;
  readonly #cast: AsciicastWriter;
  readonly #log: WatchedLog;
  readonly #sizes: SizeCursor;
  #cursor = 1;
  #offset = 0;
  #bytes = 0;
  #isOver = false;
  #look: Timer | undefined;

  constructor(options: RecordingOptions) {
    const { process, file, startedAtMs, title } = options;
    this.#options = options;
    this.#log = process.output.log;
    const first = process.sizes.cursor(0);
    const size = first.next(1) ?? USUAL_SIZE;
    this.#sizes = process.sizes.cursor(1);
    this.#cast = new AsciicastWriter({ cols: size.cols, rows: size.rows, startedAtMs, title });
    file.write(this.#cast.header);
    file.onDrain = () => this.changed();
    process.watchers.add(this);
    this.changed();
  }

  changed(): void {
    if (this.#isOver || this.#look !== undefined) return;
    this.#look = this.#options.clock.schedule(LOOK_MS, () => {
      this.#look = undefined;
      if (this.#options.file.waitingBytes < SLICE_BYTES) this.#read(SLICE_BYTES);
    });
  }

  forgotten(): void {
    this.#read(Number.POSITIVE_INFINITY);
    this.end();
  }

  /** What the log holds that was not written is written. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#look?.cancel();
    this.#options.process.watchers.delete(this);
    this.#options.onEnd(this);
  }

  /** The rest, at once: the server ends. */
  finish(): void {
    if (!this.#isOver) this.forgotten();
  }

  #read(maxBytes: number): void {
    const { file, maxBytes: share } = this.#options;
    let read = 0;
    while (!this.#isOver && read < maxBytes) {
      this.#skipDropped();
      this.#writeSizes();
      const entry = this.#log.glance(this.#cursor);
      if (entry === undefined) return;
      this.#cursor++;
      if (entry.kind === 'output') {
        const { atMs, stream, bytes } = entry;
        this.#offset += bytes.length;
        if (this.#bytes + bytes.length > share) {
          file.write(this.#cast.marker(`the recording ends here: it has its ${share} bytes`));
          this.end();
          return;
        }
        read += bytes.length;
        this.#bytes += bytes.length;
        file.write(this.#cast.output(atMs, stream, bytes));
      } else if (entry.kind === 'exited') file.write(this.#cast.exit(entry.atMs, entry.exitCode));
      else this.end();
    }
    this.changed();
  }

  #skipDropped(): void {
    const { firstSeq } = this.#log;
    if (this.#cursor >= firstSeq) return;
    const offset = this.#log.offsetAt(firstSeq);
    const range = `seq ${this.#cursor} to ${firstSeq - 1}`;
    this.#options.file.write(this.#cast.marker(`${offset - this.#offset} bytes are gone (${range})`));
    this.#cursor = firstSeq;
    this.#offset = offset;
  }

  #writeSizes(): void {
    for (let size = this.#sizes.next(this.#cursor); size !== undefined; size = this.#sizes.next(this.#cursor))
      this.#options.file.write(this.#cast.resize(size.atMs, size.cols, size.rows));
  }
}
