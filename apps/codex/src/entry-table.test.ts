import { describe, expect, it } from 'vitest';
import { entryFor } from './entry-table.js';

describe('entryFor', () => {
  it.each([
    [['node', 'codex.js', 'exec-server', '--quiet'], { name: 'codex', args: ['exec-server', '--quiet'] }],
    [['node', 'codex'], { name: 'codex', args: [] }],
    [['node', 'exec-server', '--quiet'], { name: 'exec-server', args: ['--quiet'] }],
    [['node'], { name: 'codex', args: [] }],
  ])('%j', (words, entry) => {
    expect(entryFor(words)).toEqual(entry);
  });
});
