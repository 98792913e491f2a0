import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compareNames } from '../../native-path.js';
import { FileCalls } from '../calls/file-calls.js';
import { sortedEntries } from './sorted-entries.js';

it('names of many batches come in the order of their bytes, from the first that is wanted', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sorted-names-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  // U+FFxx is before U+1Fxxx in bytes and behind it in UTF-16.
  const names = Array.from(
    { length: 1700 },
    (_, index) => `${['a', '\uff41', '\u{1f600}'][index % 3]}${index}`,
  );
  for (const name of names) writeFileSync(join(directory, name), '');
  const calls = new FileCalls();
  const read = async (first?: string) => {
    const found: string[] = [];
    const entries = await sortedEntries(calls, { path: directory, self: directory }, first);
    for (const { name } of entries) found.push(String(name));
    return found;
  };
  const sorted = [...names].sort(compareNames);
  expect(await read()).toEqual(sorted);
  expect(await read(sorted[1000])).toEqual(sorted.slice(1000));
  expect(await read('b')).toEqual(sorted.filter((name) => !name.startsWith('a')));
});
