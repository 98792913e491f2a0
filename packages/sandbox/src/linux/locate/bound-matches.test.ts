import { expect, it } from 'vitest';
import { boundMatches } from './bound-matches.js';

// More than the stack of a test's thread takes as arguments, which is larger than a program's.
it('bounds as many matches as a tree may hold', () => {
  const matches = new Set(Array.from({ length: 700_000 }, (_, index) => `/ws/${index % 1200}/${index}.key`));
  expect(boundMatches(matches, { directory: '/ws', mayDeny: () => true })).toMatchObject({
    paths: { length: 1200 },
    warnings: [expect.stringContaining('whole directories are denied')],
  });
});
