// What an audit line says of words and paths that the sandboxed side has chosen: enough to know them by, and no more than a line
// should take. Without a bound, a command in a read-only sandbox could fill the disk of the host with a few thousand execs.

const MOST_TEXT = 32 * 1024;
const LONGEST_PATH = 4096;

export interface BoundedWords {
  readonly argv: readonly string[];
  /** Words that are cut or left out. */
  readonly omittedWords?: number;
}

export function boundedWords(words: readonly string[]): BoundedWords {
  const argv: string[] = [];
  let room = MOST_TEXT;
  for (const word of words) {
    if (room <= 0) break;
    argv.push(word.slice(0, room));
    room -= word.length + 1;
  }
  const omittedWords = words.length - argv.length + (room < -1 ? 1 : 0);
  return omittedWords === 0 ? { argv } : { argv, omittedWords };
}

export function boundedPath(path: string): string {
  return path.slice(0, LONGEST_PATH);
}
