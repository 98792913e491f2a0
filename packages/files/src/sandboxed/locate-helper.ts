// The default place of the helper program: beside the bundle that this code is part of.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HelperCommand } from './pool/runtime-files.js';

const FILE_NAME = 'codex-fs.cjs';
/** Where the app has it: a folder that holds nothing else, so that what V8 compiled can lie in it. */
const OWN_FOLDER = 'fs-helper';

export function locateFileHelper(): HelperCommand | undefined {
  const inOwnFolder = join(import.meta.dirname, OWN_FOLDER, FILE_NAME);
  if (existsSync(inOwnFolder)) return compilingHelper(inOwnFolder);
  const file = join(import.meta.dirname, FILE_NAME);
  return existsSync(file) ? nodeHelper(file) : undefined;
}

/** A helper that this Node runs from one file. */
export function nodeHelper(file: string): HelperCommand {
  return { argv: [...nodeFor(file), '--serve'], files: [process.execPath, file] };
}

/** One that finds what it needs, and what V8 made of that, in its own folder. */
export function compilingHelper(file: string): HelperCommand {
  const argv = [...nodeFor(file), '--serve'];
  return { argv, files: [process.execPath, dirname(file)], compile: [process.execPath, file, '--compile'] };
}

/** The file is named as the sandbox shows it: Node need not ask about every folder above it. */
const nodeFor = (file: string): string[] => [process.execPath, '--preserve-symlinks-main', file];
