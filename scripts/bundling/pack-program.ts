// Puts the files that the program was split into together in one, which its loader keeps open (decision 0052).
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeArchive } from '../../apps/codex/src/loader/archive.ts';
import { type AboutProgram, PROGRAM_FILE } from '../../apps/codex/src/loader/program-files.ts';

export function packProgram(folder: string): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.js') && name !== 'codex.js');
  const parts = new Map(names.map((name) => [name, readFileSync(join(folder, name))]));
  const wide = names.filter((name) => parts.get(name)?.some((byte) => byte > 127));
  const file = join(folder, PROGRAM_FILE);
  // A program that runs meanwhile keeps the file that it has open.
  writeFileSync(`${file}.new`, encodeArchive({ wide } satisfies AboutProgram, parts));
  renameSync(`${file}.new`, file);
  for (const name of names) rmSync(join(folder, name));
}
