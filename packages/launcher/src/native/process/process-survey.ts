// Reads /proc for all callers that search processes at the same time: two hundred supervisors that are killed at once are
// two hundred searches. One reading serves every caller that asked before it began, in slices of a few milliseconds of the
// event loop.
import { listPids, type ProcessEntry, readProcess } from '../../process-table.js';
import { ProcessSnapshot } from './process-snapshot.js';

const SLICE_MS = 2;

export interface SurveySource {
  /** Throws where no descriptor is left to look with. */
  list(): readonly string[];
  read(pid: string): ProcessEntry | undefined;
  now(): number;
}

const PROC: SurveySource = { list: listPids, read: readProcess, now: () => performance.now() };

export class ProcessSurvey {
  readonly #source: SurveySource;
  #current: Promise<unknown> | undefined;
  #next: Promise<ProcessSnapshot> | undefined;

  constructor(source: SurveySource = PROC) {
    this.#source = source;
  }

  /** What there is now or a little later, never what was there before the call. Rejects when /proc cannot be listed. */
  look(): Promise<ProcessSnapshot> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  /** Not in the turn of the first call: the others that the same event concerns are asked in that turn as well. */
  async #begin(): Promise<ProcessSnapshot> {
    await this.#current?.catch(() => undefined);
    await nextTurn();
    const reading = this.#read();
    this.#current = reading;
    this.#next = undefined;
    return reading;
  }

  async #read(): Promise<ProcessSnapshot> {
    const { list, read, now } = this.#source;
    const entries: ProcessEntry[] = [];
    let sliceEnds = now() + SLICE_MS;
    for (const pid of list()) {
      const entry = read(pid);
      if (entry !== undefined) entries.push(entry);
      if (now() < sliceEnds) continue;
      await nextTurn();
      sliceEnds = now() + SLICE_MS;
    }
    return new ProcessSnapshot(entries);
  }
}

/** Shared by all launchers of this program. */
export const processSurvey = new ProcessSurvey();

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
