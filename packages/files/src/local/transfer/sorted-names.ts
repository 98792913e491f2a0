// The names in a directory in the order of their bytes, without a moment in which all of them are sorted: each batch is
// sorted when it has been read, and the batches are merged as far as names are asked for.
import { compareNames, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { entryBatches } from '../tree/directory-entries.js';

/** From `first` on, if that is given. */
export async function* sortedNames(
  calls: FileCalls,
  directory: NativePath,
  first: string | undefined,
): AsyncGenerator<NativePath> {
  const heads: Head[] = [];
  for await (const batch of entryBatches(calls, directory)) {
    const names = batch
      .map(({ name }) => name)
      .filter((name) => first === undefined || compareNames(name, first) >= 0)
      .sort(compareNames);
    const [name] = names;
    if (name !== undefined) add(heads, { name, names, next: 1 });
  }
  yield* merge(heads);
}

interface Head {
  name: NativePath;
  readonly names: readonly NativePath[];
  next: number;
}

function* merge(heap: Head[]): Generator<NativePath> {
  for (let least = heap[0]; least !== undefined; least = heap[0]) {
    yield least.name;
    const name = least.names[least.next++];
    if (name !== undefined) {
      least.name = name;
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
    if (compareNames(above.name, head.name) <= 0) break;
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
    if (below === undefined || compareNames(head.name, below.name) <= 0) break;
    heap[at] = below;
    at = least;
  }
  heap[at] = head;
}

function isLess(heap: readonly Head[], left: number, right: number): boolean {
  return compareNames((heap[left] as Head).name, (heap[right] as Head).name) < 0;
}
