// Loads the files that the program is split into. Node's own `require` would do, but it looks every file up through links
// and package.json files, and compiles each anew.
import { Script } from 'node:vm';
import { CodeCache, type CompiledChunk } from './code-cache.js';
import { ProgramFiles } from './program-files.js';

type Require = (name: string) => unknown;
/** Called with what a CommonJS module finds (exports, require, module, __filename, __dirname), and a clock. */
type ChunkFunction = (
  ...found: readonly [object, Require, { exports: object }, string, string, typeof clock]
) => void;

/** In place of `performance`, for which Node loads nine modules, a millisecond of the first answer, when it is first named. */
const clock = {
  now: (): number => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
};

export class ChunkLoader {
  readonly #folder: string;
  readonly #requireOther: Require;
  readonly #files: ProgramFiles;
  readonly #cache: CodeCache;
  readonly #modules = new Map<string, { exports: object }>();
  readonly #compiled = new Map<string, CompiledChunk>();
  /** What Node has loaded for it: chunks ask each time that they use one (scripts/bundling/commonjs-chunks.ts). */
  readonly #others = new Map<string, unknown>();

  /** `requireOther` takes what is no file of the program: Node's own modules and installed packages. */
  constructor(folder: string, requireOther: Require) {
    this.#folder = folder;
    this.#requireOther = requireOther;
    this.#files = new ProgramFiles(folder);
    this.#cache = CodeCache.open(folder, this.#files.state);
  }

  load(name: string): object {
    const known = this.#modules.get(name);
    if (known !== undefined) return known.exports;
    const loaded = { exports: {} };
    this.#modules.set(name, loaded);
    const file = `${this.#folder}/${name}`;
    const run = this.#compile(name, file).runInThisContext() as ChunkFunction;
    run(loaded.exports, (wanted) => this.#require(wanted), loaded, file, this.#folder, clock);
    return loaded.exports;
  }

  /** Whether V8 has compiled nothing so far that an earlier run had not. */
  get isFromCache(): boolean {
    return [...this.#compiled.values()].every(({ isFromCache }) => isFromCache);
  }

  /** Writes what V8 has compiled so far, where an earlier run has not. */
  keepCompiledCode(): void {
    this.#cache.keep(this.#compiled);
    this.#compiled.clear();
    this.#files.releaseMemory();
    this.#cache.releaseMemory();
  }

  #require(name: string): unknown {
    if (name.startsWith('./')) return this.load(name.slice(2));
    const known = this.#others.get(name);
    if (known !== undefined) return known;
    const other = this.#requireOther(name);
    this.#others.set(name, other);
    return other;
  }

  #compile(name: string, filename: string): Script {
    const source = this.#files.source(name);
    const cachedData = this.#cache.find(name);
    const script = new Script(source, cachedData === undefined ? { filename } : { filename, cachedData });
    const isFromCache = cachedData !== undefined && script.cachedDataRejected === false;
    this.#compiled.set(name, { script, isFromCache });
    return script;
  }
}
