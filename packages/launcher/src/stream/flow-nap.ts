// Lets a command fill its pipe. Where a command and this process share a processor, every write of the command wakes the
// reader, which takes the few kilobytes and sleeps again: most of what bulk output costs then is falling asleep and being
// woken. So when short reads of one pipe follow each other and nothing else is read, the whole process sleeps for a tenth of a
// millisecond, and finds a full pipe. Where a nap brings little, the next one is far away.
// What it costs: whatever else happens in that moment waits for it.

export interface Sleeper {
  now(): number;
  /** Calls back when everything that was found with this look at the pipes is done. */
  afterThisTurn(nap: () => void): void;
  sleep(ms: number): void;
}

const SHORT_READ_BYTES = 16 * 1024;
/** So much after a nap was worth it: a fourth of a wide pipe. */
const WORTH_BYTES = 64 * 1024;
const NAP_MS = 0.1;
/** Reads that are further apart are those of a command that has other things to do. */
const FOLLOWS_MS = 0.1;
/** So many short reads in a row are a flow; of one that filled its pipe while we slept, this many. */
const READS_OF_A_FLOW = 8;
const READS_OF_A_KNOWN_FLOW = 1;
const READS_AFTER_A_USELESS_NAP = 1024;

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));

const thisProcess: Sleeper = {
  now: () => performance.now(),
  afterThisTurn: (nap) => void setImmediate(nap),
  sleep(ms) {
    try {
      Atomics.wait(nobodyWakes, 0, 0, ms);
    } catch {
      // A runtime whose main thread may not wait reads what comes as it comes.
    }
  },
};

export class FlowNap {
  readonly #sleeper: Sleeper;
  /** Whose reads are counted. */
  #reader: object | undefined;
  #shortReads = 0;
  #wanted = READS_OF_A_FLOW;
  #lastReadAt = Number.NEGATIVE_INFINITY;
  #isPlanned = false;
  #hasSlept = false;

  constructor(sleeper: Sleeper = thisProcess) {
    this.#sleeper = sleeper;
  }

  /** `reader` has read that much. */
  read(reader: object, bytes: number): void {
    const now = this.#sleeper.now();
    if (reader !== this.#reader) this.#begin(reader);
    else if (this.#hasSlept) this.#judge(bytes);
    else if (now - this.#lastReadAt > FOLLOWS_MS) this.#shortReads = 0;
    this.#lastReadAt = now;
    this.#shortReads = bytes < SHORT_READ_BYTES ? this.#shortReads + 1 : 0;
    if (this.#shortReads < this.#wanted || this.#isPlanned) return;
    this.#isPlanned = true;
    this.#sleeper.afterThisTurn(() => this.#nap(reader));
  }

  #begin(reader: object): void {
    this.#reader = reader;
    this.#shortReads = 0;
    this.#wanted = READS_OF_A_FLOW;
    this.#hasSlept = false;
  }

  #judge(bytes: number): void {
    this.#hasSlept = false;
    this.#wanted = bytes >= WORTH_BYTES ? READS_OF_A_KNOWN_FLOW : READS_AFTER_A_USELESS_NAP;
  }

  /** Not where something else was read meanwhile. */
  #nap(reader: object): void {
    this.#isPlanned = false;
    if (reader !== this.#reader) return;
    this.#shortReads = 0;
    this.#hasSlept = true;
    this.#sleeper.sleep(NAP_MS);
  }
}

/** One for the process: it has one event loop. */
export const flowNap = new FlowNap();
