// What is moved: a large file, and a tree of small ones.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1024 * 1024;

export const BULK_BYTES = 64 * MIB;
export const LONG_BYTES = 512 * MIB;
export const LARGE_BYTES = 64 * MIB;
export const TREE_FILES = 2000;
const FILES_PER_FOLDER = 50;

let contents: Buffer | undefined;

export function largeContents(): Buffer {
  contents ??= Buffer.alloc(LARGE_BYTES, 'what is moved, ');
  return contents;
}

export function layOut(folder: string): void {
  writeFileSync(join(folder, 'large'), largeContents());
  for (let index = 0; index < TREE_FILES; index += 1) {
    const directory = join(folder, 'tree', `folder-${Math.floor(index / FILES_PER_FOLDER)}`);
    if (index % FILES_PER_FOLDER === 0) mkdirSync(directory, { recursive: true });
    const text = `export const value = ${index};\n`.repeat(1 + (index % 100));
    writeFileSync(join(directory, `file-${index}.ts`), text);
  }
}

let targets = 0;

/**
 * A place for a tree that was never there. Nothing is removed before the end: a file system may look for numbers that were given
 * back lately, and takes longer for each file then than all else together.
 */
export function freshTarget(folder: string): string {
  targets += 1;
  return join(folder, `target-${targets}`);
}
