// File contents: paths, whole files, and handles.
import type { Requirement } from './requirement.js';

const source = 'exec-server 0.169.0';
const ours = 'this project: docs/differences.md';
const host = ['shared-host'] as const;
const streams = ['shared-host', 'extension:fileWriteStreaming'] as const;

export const FS_CONTENT = [
  {
    id: 'fs.path.forms',
    source,
    behaviour: 'A `file:` URI may name localhost, and its dot segments and escapes are resolved.',
    needs: host,
  },
  {
    id: 'fs.path.refused',
    source,
    behaviour: 'Relative and empty paths, other schemes, queries, fragments, ports and NULs are -32602.',
  },
  { id: 'fs.path.foreign', source, behaviour: 'A URI with another host or a drive letter is refused.' },
  {
    id: 'fs.path.names',
    source,
    behaviour: 'Names with spaces, percent signs, quotes and other odd characters can be written and read.',
    needs: host,
  },
  {
    id: 'fs.path.not-utf8',
    source,
    behaviour: 'A name that is not UTF-8 is reached by its escaped bytes.',
    needs: host,
  },
  {
    id: 'fs.path.plain',
    source: 'exec-server README',
    behaviour: 'An absolute path is accepted, and answered with paths.',
    needs: ['shared-host', 'extension:absolutePaths'],
  },
  {
    id: 'fs.sandbox.disabled',
    source,
    behaviour: 'A sandbox context of type `disabled` or `external` gives plain access.',
    needs: host,
  },
  {
    id: 'fs.sandbox.unknown',
    source,
    behaviour: 'A sandbox context that is not understood is -32602, never ignored.',
    needs: host,
  },
  {
    id: 'fs.readFile.content',
    source,
    behaviour: 'A file is returned byte for byte, an empty one too.',
    needs: host,
  },
  {
    id: 'fs.readFile.large',
    source,
    behaviour: 'A file of several megabytes is returned whole.',
    needs: host,
  },
  {
    id: 'fs.readFile.proc',
    source,
    behaviour: 'A file whose size is given as zero is read to its end.',
    needs: host,
  },
  {
    id: 'fs.readFile.missing',
    source,
    behaviour: 'A missing file, or a dangling link, is -32004.',
    needs: host,
  },
  {
    id: 'fs.readFile.not-a-file',
    source,
    behaviour:
      'A directory, a FIFO or a device is -32600 with the path in the text, without waiting for anyone.',
    needs: host,
  },
  {
    id: 'fs.readFile.below-a-file',
    source,
    behaviour: 'A path below a file is -32603 `Not a directory (os error 20)`.',
    needs: host,
  },
  {
    id: 'fs.readFile.follows',
    source,
    behaviour: 'Links are followed unless `followSymlinks` is false.',
    needs: host,
  },
  {
    id: 'fs.readFile.no-follow',
    source,
    behaviour: 'With `followSymlinks: false` a link in any component is refused, and a FIFO does not block.',
    needs: host,
  },
  { id: 'fs.readFile.params', source, behaviour: 'A missing path or a wrong type is -32602.' },
  {
    id: 'fs.writeFile.creates',
    source,
    behaviour: 'A file is created with the bytes given, and replaced when it exists.',
    needs: host,
  },
  { id: 'fs.writeFile.large', source, behaviour: 'Several megabytes are written whole.', needs: host },
  {
    id: 'fs.writeFile.missing-parent',
    source,
    behaviour: 'A missing parent directory is -32004 and nothing is created.',
    needs: host,
  },
  {
    id: 'fs.writeFile.directory',
    source,
    behaviour: 'Writing to a directory is -32603 `Is a directory (os error 21)`.',
    needs: host,
  },
  {
    id: 'fs.writeFile.base64',
    source,
    behaviour: 'Data that is not strict base64 is -32600, and the old file is untouched.',
    needs: host,
  },
  {
    id: 'fs.writeFile.follows',
    source,
    behaviour: 'A link is written through, a dangling one creates its target.',
    needs: host,
  },
  {
    id: 'fs.writeFile.no-follow',
    source,
    behaviour: 'With `followSymlinks: false` a link in any component is refused and its target untouched.',
    needs: host,
  },
  {
    id: 'fs.writeFile.fifo',
    source: ours,
    behaviour: 'Writing to a FIFO that nobody reads is refused, and does not block the connection.',
    needs: host,
  },
  {
    id: 'fs.writeFile.in-order',
    source,
    behaviour: 'Writes to one file sent without waiting end with the last one.',
    needs: host,
  },
  {
    id: 'fs.writeFile.seen-by-read',
    source,
    behaviour: 'A read sees an earlier write of its connection, even when neither waits.',
    needs: host,
  },
  {
    id: 'fs.open.blocks',
    source,
    behaviour: 'Blocks at any offset are those of the file, and `eof` tells a short block.',
    needs: host,
  },
  {
    id: 'fs.open.exact-end',
    source,
    behaviour: 'A block that ends exactly at the end is not `eof`; the next one is, and empty.',
    needs: host,
  },
  {
    id: 'fs.open.not-a-file',
    source,
    behaviour: 'A directory or a FIFO cannot be opened (-32600), a missing file is -32004.',
    needs: host,
  },
  {
    id: 'fs.open.duplicate',
    source,
    behaviour: 'A handle id in use is -32600 ``file handle `H` already exists``.',
    needs: host,
  },
  {
    id: 'fs.open.long-id',
    source,
    behaviour: 'A handle id over 32 bytes is -32600; 32 bytes, and an empty one, are fine.',
    needs: host,
  },
  {
    id: 'fs.open.limit',
    source,
    behaviour: 'The 129th open handle is -32600, and closing one makes room.',
    needs: host,
  },
  {
    id: 'fs.open.per-connection',
    source,
    behaviour: 'Handles belong to a connection: another may use the same id for another file.',
    needs: host,
  },
  {
    id: 'fs.open.replaced-file',
    source,
    behaviour: 'A handle keeps the file it was opened on when the path gets another one.',
    needs: host,
  },
  {
    id: 'fs.readBlock.length',
    source,
    behaviour: 'A length of 0 or above 1048576 is -32600, checked before the handle.',
    needs: host,
  },
  {
    id: 'fs.readBlock.unknown',
    source,
    behaviour: 'An unknown handle is -32004 ``unknown file handle `H` ``.',
  },
  { id: 'fs.readBlock.numbers', source, behaviour: 'Negative, fractional and missing numbers are -32602.' },
  { id: 'fs.close.idempotent', source, behaviour: 'Closing answers `{}`, for an unknown handle too.' },
  {
    id: 'fs.writeBlock.blocks',
    source,
    behaviour: 'A handle opened with `mode: "replace"` takes blocks at any offset; gaps are zeros.',
    needs: streams,
  },
  {
    id: 'fs.writeBlock.truncates',
    source,
    behaviour: 'Opening with `mode: "replace"` empties an existing file and creates a missing one.',
    needs: streams,
  },
  {
    id: 'fs.writeBlock.refused',
    source,
    behaviour: 'An empty or too large block is -32600, bad base64 -32602, an unknown handle -32004.',
    needs: streams,
  },
  {
    id: 'fs.writeBlock.wrong-handle',
    source,
    behaviour:
      'Writing to a handle opened for reading is refused, as is the reverse, and the file is untouched.',
    needs: streams,
  },
] as const satisfies readonly Requirement[];
