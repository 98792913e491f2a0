// What the program consists of, in one file that stays open: a program that is replaced while it runs, as an upgrade does, goes
// on with its own.
// Does not help where the file is written over in place; who does that is told to start the program again.
import { fstatSync, openSync } from 'node:fs';
import { Archive } from './archive.js';

/** Which state of a file something was made from: V8 itself compares nothing but the length of a source. */
export interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
}

/** Most parts are ASCII, which is read several times as fast and kept in half the memory. */
export interface AboutProgram {
  readonly wide: readonly string[];
}

export const PROGRAM_FILE = 'program.bin';
/** How every part begins (scripts/bundling/commonjs-chunks.ts). */
const HEAD = '(function(exports,';

/** Of its own kind: nothing of the packages is loaded yet. */
export class ProgramFileError extends Error {
  override readonly name = 'ProgramFileError';
  readonly code: 'PROGRAM_DAMAGED' | 'PROGRAM_CHANGED';

  constructor(code: ProgramFileError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export class ProgramFiles {
  readonly state: FileState;
  readonly #archive: Archive;
  readonly #path: string;

  /** Throws when the program has none, or something else in its place. */
  constructor(folder: string) {
    this.#path = `${folder}/${PROGRAM_FILE}`;
    const descriptor = openSync(this.#path, 'r');
    const { size, mtimeMs } = fstatSync(descriptor);
    this.state = { size, mtimeMs };
    const archive = Archive.read(descriptor);
    if (archive === undefined)
      throw new ProgramFileError('PROGRAM_DAMAGED', `${this.#path} is damaged: install the program again`);
    this.#archive = archive;
  }

  source(name: string): string {
    const { wide } = this.#archive.about as AboutProgram;
    const source = this.#archive.part(name)?.toString(wide.includes(name) ? 'utf8' : 'latin1');
    if (source?.startsWith(HEAD) !== true) {
      throw new ProgramFileError(
        'PROGRAM_CHANGED',
        `${this.#path} was changed while the program ran: start it again (${name} is not there)`,
      );
    }
    return source;
  }

  releaseMemory(): void {
    this.#archive.releaseMemory();
  }
}
