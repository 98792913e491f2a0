// The default place of the helper program: beside the bundle that this code is part of.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HelperCommand } from './pool/runtime-files.js';

const FILE_NAME = 'codex-fs.cjs';

export function locateFileHelper(): HelperCommand | undefined {
  const file = join(import.meta.dirname, FILE_NAME);
  return existsSync(file) ? nodeHelper(file) : undefined;
}

/** A helper that this Node runs from one file. */
export function nodeHelper(file: string): HelperCommand {
  return { argv: [process.execPath, file, '--serve'], files: [process.execPath, file] };
}
