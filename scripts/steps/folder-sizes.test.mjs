import { expect, it } from 'vitest';
import { largeFolders } from './folder-sizes.mjs';

const many = (folder, count, name = (index) => `file-${index}.ts`) =>
  Array.from({ length: count }, (_, index) => `${folder}/${name(index)}`);

it('names the folders of code with more than twenty files', () => {
  const files = [
    ...many('packages/a/src', 20),
    ...many('packages/b/src', 21),
    ...many('docs/decisions', 40),
    ...many('packages/b/src/deeper', 3),
  ];
  expect(largeFolders(files)).toEqual([{ folder: 'packages/b/src', count: 21 }]);
});

it('counts a C file and its header once', () => {
  const pairs = many('packages/c/native', 20, (index) => `part-${index}.c`);
  const headers = pairs.map((file) => `${file.slice(0, -1)}h`);
  expect(largeFolders([...pairs, ...headers])).toEqual([]);
  const alone = 'packages/c/native/alone.h';
  expect(largeFolders([...pairs, ...headers, alone])).toEqual([{ folder: 'packages/c/native', count: 21 }]);
});
