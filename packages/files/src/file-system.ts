// What the handlers need from a file system. The local one works in this process; a sandboxed one forwards the same
// calls to a helper. Paths are native, errors are `FsError`, and nothing here knows of connections or of the wire.

import type { ReadFileOptions } from './local/contents/read-file.js';
import type { WriteFileOptions } from './local/contents/write-file.js';
import type { FollowOption } from './local/paths/target.js';
import type { CopyOptions } from './local/tree/copy.js';
import type { CreateDirectoryOptions } from './local/tree/create-directory.js';
import type { Metadata } from './local/tree/metadata.js';
import type { DirectoryEntry } from './local/tree/read-directory.js';
import type { RemoveOptions } from './local/tree/remove.js';
import type { RenameOptions } from './local/tree/rename.js';
import type { WalkOptions } from './local/tree/walk.js';
import type { WalkOutcome } from './local/tree/walk-report.js';
import type { NativePath } from './native-path.js';

export type OpenMode = 'read' | 'replace';

export interface FileBlock {
  readonly bytes: Uint8Array;
  /** The block ends at the end of the file. */
  readonly eof: boolean;
}

/** A file held open. It stays the same file when its path comes to name another one. */
export interface OpenFile {
  read(offset: number, length: number): Promise<FileBlock>;
  write(offset: number, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface FileSystem {
  readFile(path: NativePath, options: ReadFileOptions): Promise<Uint8Array>;
  writeFile(path: NativePath, bytes: Uint8Array, options: WriteFileOptions): Promise<void>;
  createDirectory(path: NativePath, options: CreateDirectoryOptions): Promise<void>;
  getMetadata(path: NativePath, options: FollowOption): Promise<Metadata>;
  /** The answer without a promise, where there is one; undefined: ask `getMetadata`. */
  getMetadataSync?(path: NativePath, options: FollowOption): Metadata | undefined;
  canonicalize(path: NativePath): Promise<NativePath>;
  readDirectory(path: NativePath, maxEntries: number): Promise<readonly DirectoryEntry[]>;
  walk(path: NativePath, options: WalkOptions): Promise<WalkOutcome>;
  remove(path: NativePath, options: RemoveOptions): Promise<void>;
  copy(source: NativePath, destination: NativePath, options: CopyOptions): Promise<void>;
  rename(source: NativePath, destination: NativePath, options: RenameOptions): Promise<void>;
  open(path: NativePath, mode: OpenMode): Promise<OpenFile>;
}
