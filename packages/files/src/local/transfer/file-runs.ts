// Entries of a tree in runs that may be carried out side by side: files that do not depend on each other, few enough that
// the directories they lie in can all be held open.

const MAX_RUN = 64;
/** Descriptors that one run may need. A single file may need one for every name in its path. */
const MAX_DIRECTORIES = 192;

interface RunItem {
  readonly names: readonly string[];
  /** It waits for everything before it, and everything behind it waits for it. */
  readonly isAlone: boolean;
}

export function* runsOf<Item extends RunItem>(items: Iterable<Item>): Generator<readonly Item[]> {
  let run: Item[] = [];
  let directories = new Set<string>();
  let paths = new Set<string>();
  const start = (): readonly Item[] => {
    const ended = run;
    run = [];
    directories = new Set();
    paths = new Set();
    return ended;
  };
  for (const item of items) {
    const path = item.names.join('/');
    // Two entries of one path are carried out in their order.
    const isFull = run.length >= MAX_RUN || directories.size >= MAX_DIRECTORIES || paths.has(path);
    if (run.length > 0 && (isFull || item.isAlone)) yield start();
    if (item.isAlone) {
      yield [item];
      continue;
    }
    run.push(item);
    paths.add(path);
    for (let at = path.lastIndexOf('/'); at !== -1; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, at);
      if (directories.has(directory)) break;
      directories.add(directory);
    }
  }
  if (run.length > 0) yield run;
}
