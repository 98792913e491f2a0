// What V8 has compiled, kept in a file beside the program's own files: loading is then reading. It is as good as code, so
// it is read only from the folder that the program is loaded from, and written only by the owner of that folder.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Script } from 'node:vm';
import { Archive, encodeArchive } from './archive.js';
import { type FileState, PROGRAM_FILE } from './program-files.js';

export interface CompiledChunk {
  readonly script: Script;
  readonly isFromCache: boolean;
}

/** Others may not write to what is run as code. */
const WRITABLE_BY_OTHERS = 0o022;

export class CodeCache {
  readonly #folder: string;
  readonly #state: FileState;
  /** Stays open: what is loaded later is in it too. */
  readonly #archive: Archive | undefined;

  private constructor(folder: string, state: FileState) {
    this.#folder = folder;
    this.#state = state;
    const descriptor = openTrusted(folder);
    this.#archive = descriptor === undefined ? undefined : archiveFor(state, descriptor);
    if (descriptor !== undefined && this.#archive === undefined) closeSync(descriptor);
  }

  /** `state` is that of the program's files: what was made from another is of no use. */
  static open(folder: string, state: FileState): CodeCache {
    return new CodeCache(folder, state);
  }

  /** In memory that the next reading overwrites. */
  find(name: string): Buffer | undefined {
    return this.#archive?.part(name);
  }

  releaseMemory(): void {
    this.#archive?.releaseMemory();
  }

  /**
   * Adds what was compiled in this run to what is there. Nothing depends on it: a folder that is not ours stays as it is.
   */
  keep(compiled: ReadonlyMap<string, CompiledChunk>): void {
    try {
      const hasNews = [...compiled.values()].some(({ isFromCache }) => !isFromCache);
      if (hasNews && isPlainNode() && isOwn(this.#folder) && this.#isCurrent()) this.#write(compiled);
    } catch {
      // A full disk or a folder that is read-only: the next start compiles again.
    }
  }

  /** A program that was replaced while it ran has nothing to say about the new one. */
  #isCurrent(): boolean {
    const now = statSync(`${this.#folder}/${PROGRAM_FILE}`, { throwIfNoEntry: false });
    return now !== undefined && isSame(now, this.#state);
  }

  #write(compiled: ReadonlyMap<string, CompiledChunk>): void {
    const parts = this.#partsThereNow();
    for (const [name, { script, isFromCache }] of compiled) {
      if (!isFromCache) parts.set(name, script.createCachedData());
    }
    mkdirSync(cacheFolder(this.#folder), { recursive: true, mode: 0o755 });
    // In one step (rename), so that no process reads half of it.
    const file = fileName(this.#folder);
    const draft = `${file}.${process.pid}`;
    try {
      writeFileSync(draft, encodeArchive(this.#state, parts), { flag: 'wx', mode: 0o644, flush: true });
      renameSync(draft, file);
    } catch (error) {
      unlinkSync(draft);
      throw error;
    }
  }

  /** Another run may have written since this one began. */
  #partsThereNow(): Map<string, Buffer> {
    const parts = new Map<string, Buffer>();
    const descriptor = openTrusted(this.#folder);
    if (descriptor === undefined) return parts;
    const archive = archiveFor(this.#state, descriptor);
    for (const name of archive?.names ?? []) parts.set(name, Buffer.from(archive?.part(name) ?? []));
    closeSync(descriptor);
    return parts;
  }
}

function archiveFor(state: FileState, descriptor: number): Archive | undefined {
  const archive = Archive.read(descriptor);
  return archive !== undefined && isSame(Object(archive.about) as FileState, state) ? archive : undefined;
}

const isSame = (one: FileState, other: FileState): boolean =>
  one.size === other.size && one.mtimeMs === other.mtimeMs;

const cacheFolder = (folder: string): string => `${folder}/code-cache`;

const fileName = (folder: string): string =>
  `${cacheFolder(folder)}/v8-${process.versions.v8}-${process.arch}`;

/** Undefined where there is none, or where another than the owner of the program, or root, could have written it. */
function openTrusted(folder: string): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(fileName(folder), constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const { uid, mode } = fstatSync(descriptor);
    const owners = [0, statSync(`${folder}/${PROGRAM_FILE}`).uid];
    if (owners.includes(uid) && (mode & WRITABLE_BY_OTHERS) === 0) return descriptor;
  } catch {
    // Then it is not ours to trust.
  }
  closeSync(descriptor);
  return undefined;
}

/** V8 takes back only what was made under the same flags: one run with others must not cost all the rest their cache. */
function isPlainNode(): boolean {
  return process.execArgv.length === 0 && process.env['NODE_OPTIONS'] === undefined;
}

function isOwn(folder: string): boolean {
  const user = process.geteuid?.();
  return [folder, `${folder}/${PROGRAM_FILE}`].every((path) => {
    const { uid, mode } = statSync(path);
    return uid === user && (mode & WRITABLE_BY_OTHERS) === 0;
  });
}
