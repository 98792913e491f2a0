import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { osErrorText } from './os-error-text.js';

// What codex exec-server 0.169.0 answers on Linux: `process/start` and `fs/*` of these causes, asked one by one.
const PEER: readonly [keyof typeof constants.errno, string][] = [
  ['E2BIG', 'Argument list too long (os error 7)'],
  ['EACCES', 'Permission denied (os error 13)'],
  ['EBADF', 'Bad file descriptor (os error 9)'],
  ['EBUSY', 'Resource busy (os error 16)'],
  ['EIO', 'I/O error (os error 5)'],
  ['EISDIR', 'Is a directory (os error 21)'],
  ['ELOOP', 'Symbolic link loop (os error 40)'],
  ['EMFILE', 'No file descriptors available (os error 24)'],
  ['ENAMETOOLONG', 'Filename too long (os error 36)'],
  ['ENOENT', 'No such file or directory (os error 2)'],
  ['ENOEXEC', 'Exec format error (os error 8)'],
  ['ENOTEMPTY', 'Directory not empty (os error 39)'],
  ['ETXTBSY', 'Text file busy (os error 26)'],
];

describe('the text of an operating system error', () => {
  it.runIf(process.platform === 'linux').each(PEER)('%s is as the peer words it', (name, text) => {
    expect(osErrorText(name, constants.errno[name])).toBe(text);
  });

  it('is missing for an error that nobody has worded', () => {
    expect(osErrorText('ESOMETHING', 999)).toBeUndefined();
  });
});
