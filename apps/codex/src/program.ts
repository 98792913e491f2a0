// The program behind `codex.js`. What it is called decides what it is: the command line (`exec-server`, and `codex` where a
// script calls it so), or one of the hidden helpers. Every entry is imported only when it is wanted, so that a helper
// starts like bare Node.
import { basename } from 'node:path';
import { ENTRIES, type EntryOptions, entryFor } from './entry-table.js';

export function main(options: EntryOptions): void {
  const entry = entryFor(process.argv.map((word, index) => (index < 2 ? basename(word) : word)));
  void ENTRIES[entry.name](entry.args, options).then((code) => {
    process.exitCode = code;
  });
}
