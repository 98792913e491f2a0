// An order in which neighbours lie in different directories, so that those who write several at once do not wait for each
// other: a file system takes one change of a directory at a time.

/** What lies in the same directory keeps its order. */
export function spreadOverDirectories<Item>(
  items: readonly Item[],
  pathOf: (item: Item) => string,
): readonly Item[] {
  const directories = new Map<string, Item[]>();
  for (const item of items) {
    const path = pathOf(item);
    const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const found = directories.get(directory);
    if (found === undefined) directories.set(directory, [item]);
    else found.push(item);
  }
  if (directories.size < 2) return items;
  const spread: Item[] = [];
  for (let round = 0; spread.length < items.length; round++) {
    for (const inOne of directories.values()) {
      const item = inOne[round];
      if (item !== undefined) spread.push(item);
    }
  }
  return spread;
}
