// What V8 has compiled, kept in a file beside the program's own files: loading is then reading. It is as good as code, so
// it is read only from the folder that the program is loaded from, and written only by the owner of that folder.
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Script } from 'node:vm';
import { decodeIndex, encodeIndex, type Index } from './cache-index.js';

/** Which state of a file something was made from: V8 itself compares nothing but the length. */
export interface ChunkState {
  readonly size: number;
  readonly mtimeMs: number;
}

export interface CompiledChunk extends ChunkState {
  readonly script: Script;
  readonly isFromCache: boolean;
}

/** Others may not write to what is run as code. */
const WRITABLE_BY_OTHERS = 0o022;

export class CodeCache {
  readonly #folder: string;
  readonly #file: string;
  #index: Index;
  #data: Buffer;
  #isKept = false;

  private constructor(folder: string, content: Buffer | undefined) {
    this.#folder = folder;
    this.#file = fileName(folder);
    const { index, data } = decodeIndex(content ?? Buffer.alloc(0));
    this.#index = index;
    this.#data = data;
  }

  static open(folder: string): CodeCache {
    return new CodeCache(folder, readTrusted(folder));
  }

  find(name: string, state: ChunkState): Buffer | undefined {
    const entry = this.#index[name];
    if (entry === undefined || entry.size !== state.size || entry.mtimeMs !== state.mtimeMs) return undefined;
    return this.#data.subarray(entry.offset, entry.offset + entry.length);
  }

  /**
   * Adds what was compiled in this run to what is there, and lets go of its own copy: most of the program is loaded by now.
   * Nothing depends on it: a folder that is not ours stays as it is.
   */
  keep(compiled: ReadonlyMap<string, CompiledChunk>): void {
    if (this.#isKept) return;
    this.#isKept = true;
    try {
      const hasNews = [...compiled.values()].some(({ isFromCache }) => !isFromCache);
      if (hasNews && isPlainNode() && isOwn(this.#folder)) this.#write(compiled);
    } catch {
      // A full disk or a folder that is read-only: the next start compiles again.
    }
    this.#index = {};
    this.#data = Buffer.alloc(0);
  }

  #write(compiled: ReadonlyMap<string, CompiledChunk>): void {
    const parts = new Map<string, ChunkState & { data: Buffer }>();
    for (const [name, { size, mtimeMs }] of Object.entries(this.#index)) {
      const data = this.find(name, { size, mtimeMs });
      if (data !== undefined && isUnchanged(`${this.#folder}/${name}`, { size, mtimeMs })) {
        parts.set(name, { size, mtimeMs, data });
      }
    }
    for (const [name, { script, size, mtimeMs, isFromCache }] of compiled) {
      if (!isFromCache) parts.set(name, { size, mtimeMs, data: script.createCachedData() });
    }
    mkdirSync(cacheFolder(this.#folder), { recursive: true, mode: 0o755 });
    // In one step (rename), so that no process reads half of it.
    const draft = `${this.#file}.${process.pid}`;
    try {
      writeFileSync(draft, encodeIndex(parts), { flag: 'wx', mode: 0o644, flush: true });
      renameSync(draft, this.#file);
    } catch (error) {
      unlinkSync(draft);
      throw error;
    }
  }
}

const cacheFolder = (folder: string): string => `${folder}/code-cache`;

const fileName = (folder: string): string =>
  `${cacheFolder(folder)}/v8-${process.versions.v8}-${process.arch}`;

/** Undefined where there is none, or where another than the owner of the program, or root, could have written it. */
function readTrusted(folder: string): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(fileName(folder), constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const { uid, mode } = fstatSync(descriptor);
    const owners = [0, statSync(`${folder}/codex.js`).uid];
    if (!owners.includes(uid) || (mode & WRITABLE_BY_OTHERS) !== 0) return undefined;
    return readFileSync(descriptor);
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** V8 takes back only what was made under the same flags: one run with others must not cost all the rest their cache. */
function isPlainNode(): boolean {
  return process.execArgv.length === 0 && process.env['NODE_OPTIONS'] === undefined;
}

function isOwn(folder: string): boolean {
  const user = process.geteuid?.();
  return [folder, `${folder}/codex.js`].every((path) => {
    const { uid, mode } = statSync(path);
    return uid === user && (mode & WRITABLE_BY_OTHERS) === 0;
  });
}

function isUnchanged(file: string, { size, mtimeMs }: ChunkState): boolean {
  const now = statSync(file, { throwIfNoEntry: false });
  return now !== undefined && now.size === size && now.mtimeMs === mtimeMs;
}
