// The entries of a directory in the order of the bytes of their names, without a moment in which all of them are sorted: each batch
// is sorted when it has been read, and the batches are merged as far as entries are asked for.
import { compareNames, type NativePath, sortByName } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { type DirectoryEntryInfo, entryBatches } from '../tree/directory-entries.js';
import { listSmallDirectory } from './quick-entries.js';

export interface ListedDirectory {
  /** Where it lies. */
  readonly path: NativePath;
  /** The way to it, as it is held open. */
  readonly self: NativePath;
}

/** From `first` on, if that is given. */
export async function sortedEntries(
  calls: FileCalls,
  { path, self }: ListedDirectory,
  first: string | undefined,
): Promise<Iterable<DirectoryEntryInfo>> {
  const wanted = (entries: DirectoryEntryInfo[]): DirectoryEntryInfo[] => {
    sortByName(entries);
    return first === undefined ? entries : entries.filter(({ name }) => compareNames(name, first) >= 0);
  };
  const all = calls.sync.run(path, () => listSmallDirectory(self));
  if (all !== undefined) return wanted(all);
  const heads: Head[] = [];
  for await (const batch of entryBatches(calls, self)) {
    const entries = wanted(batch);
    const [entry] = entries;
    if (entry !== undefined) add(heads, { entry, entries, next: 1 });
  }
  return merge(heads);
}

interface Head {
  entry: DirectoryEntryInfo;
  readonly entries: readonly DirectoryEntryInfo[];
  next: number;
}

function* merge(heap: Head[]): Generator<DirectoryEntryInfo> {
  for (let least = heap[0]; least !== undefined; least = heap[0]) {
    yield least.entry;
    const entry = least.entries[least.next++];
    if (entry !== undefined) {
      least.entry = entry;
      sink(heap, least);
      continue;
    }
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) sink(heap, last);
  }
}

function add(heap: Head[], head: Head): void {
  let at = heap.push(head) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Head;
    if (compareNames(above.entry.name, head.entry.name) <= 0) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = head;
}

/** Puts `head` in the place of the first one. */
function sink(heap: Head[], head: Head): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    const isRightLess = right < heap.length && isLess(heap, right, left);
    const least = isRightLess ? right : left;
    const below = heap[least];
    if (below === undefined || compareNames(head.entry.name, below.entry.name) <= 0) break;
    heap[at] = below;
    at = least;
  }
  heap[at] = head;
}

function isLess(heap: readonly Head[], left: number, right: number): boolean {
  return compareNames((heap[left] as Head).entry.name, (heap[right] as Head).entry.name) < 0;
}
