import { describe, expect, it } from 'vitest';
import { entryFor } from './entry-table.js';

describe('entryFor', () => {
  it.each([
    [['node', 'codex.js', 'exec-server', '--quiet'], { name: 'codex', args: ['exec-server', '--quiet'] }],
    [['node', 'codex'], { name: 'codex', args: [] }],
    [['node', 'exec-server', '--quiet'], { name: 'exec-server', args: ['--quiet'] }],
    [['node'], { name: 'codex', args: [] }],
    [['node', 'codex-fs', '--serve'], { name: 'codex-fs', args: ['--serve'] }],
    [['node', 'codex.js', '--codex-run-as-fs-helper'], { name: 'codex-fs', args: [] }],
    [['node', 'codex-linux-sandbox', '--', 'true'], { name: 'codex-linux-sandbox', args: ['--', 'true'] }],
    [
      ['node', 'codex', '--codex-run-as-linux-sandbox', '--', 'ls'],
      { name: 'codex-linux-sandbox', args: ['--', 'ls'] },
    ],
    [
      ['node', 'codex', 'exec-server', '--codex-run-as-fs-helper'],
      { name: 'codex', args: ['exec-server', '--codex-run-as-fs-helper'] },
    ],
    [['node', 'codex-exec-mcp-server', '--help'], { name: 'codex-exec-mcp-server', args: ['--help'] }],
    [
      ['node', 'codex-execve-wrapper', '/bin/ls', 'ls'],
      { name: 'codex-execve-wrapper', args: ['/bin/ls', 'ls'] },
    ],
    [['node', 'constructor'], { name: 'codex', args: [] }],
  ])('%j', (words, entry) => {
    expect(entryFor(words)).toEqual(entry);
  });
});
