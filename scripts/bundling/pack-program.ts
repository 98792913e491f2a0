// Puts the files that the program was split into together in one, which its loader keeps open (decision 0055).
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Archive, encodeArchive } from '../../apps/codex/src/loader/archive.ts';
import { type AboutProgram, PROGRAM_FILE } from '../../apps/codex/src/loader/program-files.ts';
import { isApartEntry } from './apart-modules.ts';
import { lazyRequires } from './commonjs-chunks.ts';

const SMALL_CHUNK = 2000;

export function packProgram(folder: string): void {
  const built = readdirSync(folder).filter((name) => name.endsWith('.js') && name !== 'codex.js');
  const names = built.filter((name) => !isApartEntry(name));
  const chunks = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  const isSmall = (name: string): boolean => (chunks.get(name)?.length ?? Infinity) < SMALL_CHUNK;
  const parts = new Map(
    [...chunks].map(([name, code]) => [name, Buffer.from(lazyRequires(code, isSmall))] as const),
  );
  const wide = names.filter((name) => parts.get(name)?.some((byte) => byte > 127));
  const file = join(folder, PROGRAM_FILE);
  // A program that runs meanwhile keeps the file that it has open.
  writeFileSync(`${file}.new`, encodeArchive({ wide } satisfies AboutProgram, parts));
  renameSync(`${file}.new`, file);
  for (const name of built) rmSync(join(folder, name));
}

/**
 * Puts the parts that a server loads first side by side, in the order in which it did: its loader reads ahead. That order is the one
 * of the code cache, which is of no use any more then.
 */
export function orderProgram(folder: string): void {
  const file = join(folder, PROGRAM_FILE);
  const order = new Map(loadOrder(join(folder, 'code-cache')).map((name, at) => [name, at]));
  const { about, parts } = partsOf(file);
  const place = ([name]: readonly [string, Buffer]): number => order.get(name) ?? Number.MAX_SAFE_INTEGER;
  const sorted = [...parts].sort((one, other) => place(one) - place(other));
  writeFileSync(`${file}.new`, encodeArchive(about, new Map(sorted)));
  renameSync(`${file}.new`, file);
  rmSync(join(folder, 'code-cache'), { recursive: true, force: true });
}

/** Nothing where the program could not be run, and so left no cache. */
function loadOrder(cache: string): readonly string[] {
  if (!existsSync(cache)) return [];
  return readdirSync(cache).flatMap((name) => [...partsOf(join(cache, name)).parts.keys()]);
}

function partsOf(file: string): { readonly about: unknown; readonly parts: ReadonlyMap<string, Buffer> } {
  const descriptor = openSync(file, 'r');
  try {
    const archive = Archive.read(descriptor);
    if (archive === undefined) throw new Error(`${file} is no archive`);
    const parts = archive.names.map((name) => [name, Buffer.from(archive.part(name) ?? [])] as const);
    return { about: archive.about, parts: new Map(parts) };
  } finally {
    closeSync(descriptor);
  }
}
