// What the handlers need from a file system. The local one works in this process; a sandboxed one forwards the same
// calls to a helper. Paths are native, errors are `FsError`, and nothing here knows of connections or of the wire.

import type { FsReadTreeResult, TreeCursor, TreeEntry } from '@codex/exec-protocol';
import type { FsError } from './fs-error.js';
import type { NativePath } from './native-path.js';

export type OpenMode = 'read' | 'replace';

export interface FileBlock {
  readonly bytes: Uint8Array;
  /** The block ends at the end of the file. */
  readonly eof: boolean;
}

/** A file held open. It stays the same file when its path comes to name another one. */
export interface OpenFile {
  /** Bytes that were written are no longer looked at. A sandboxed helper is not taken at its word for that. */
  readonly isDoneWithWritten?: boolean;
  /** The block may be read into `memory`, which has at least that length, or into memory of its own. */
  read(offset: number, length: number, memory?: Uint8Array): Promise<FileBlock>;
  write(offset: number, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

export interface FollowOption {
  /** False refuses a symbolic link in every component, the last one included. Default true. */
  readonly followSymlinks?: boolean;
}

export interface ReadFileOptions extends FollowOption {
  readonly maxBytes: number;
  /** What to say of a larger file. */
  readonly tooLarge?: (size: number) => FsError;
  /** Waits for permission to hold `size` bytes; called once, before anything is read. */
  readonly reserve?: (size: number) => Promise<void> | void;
  /** Memory for a file of that size, with anything in it; undefined: it gets its own. */
  readonly memoryFor?: (size: number) => Uint8Array | undefined;
}

export interface WriteFileOptions extends FollowOption {
  /** Readers see the old contents or the new, also after a crash; a hard link to the old file keeps the old. */
  readonly atomic?: boolean;
  readonly append?: boolean;
  /** Fail when the path exists. */
  readonly exclusive?: boolean;
  /** Permission bits of a file that is created, whatever the umask; an existing file keeps its own. */
  readonly mode?: number;
}

export interface CreateDirectoryOptions extends FollowOption {
  readonly recursive: boolean;
}

export interface Metadata {
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly size: number;
  /** Milliseconds since 1970; 0 when the file system does not know. */
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export interface DirectoryEntry {
  /** Lossy when the name is not UTF-8. */
  readonly fileName: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
}

export interface WalkOptions {
  readonly maxDepth: number;
  readonly maxDirectories: number;
  readonly maxEntries: number;
  readonly followDirectorySymlinks: boolean;
  readonly pruneHiddenDirectories: boolean;
  /** How a path is written in the reply; its length counts against the budget. */
  readonly formatPath: (path: NativePath) => string;
  readonly signal?: AbortSignal;
}

export interface WalkOutcome {
  readonly entries: readonly { readonly path: string; readonly kind: 'directory' | 'file' }[];
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly truncated: boolean;
}

export interface RemoveOptions extends FollowOption {
  readonly recursive: boolean;
  /** A path that does not exist is removed already. */
  readonly force: boolean;
  readonly signal?: AbortSignal;
}

export interface CopyOptions {
  readonly recursive: boolean;
  readonly signal?: AbortSignal;
}

export interface RenameOptions {
  /** False fails with EEXIST when the destination exists. */
  readonly overwrite: boolean;
}

export interface ReadTreeOptions {
  /** Patterns like those of `.gitignore`. */
  readonly exclude: readonly string[];
  readonly after?: TreeCursor | undefined;
  /** Of entries and contents; at most what one reply may have, which is the default. */
  readonly enoughBytes?: number | undefined;
  readonly signal?: AbortSignal;
  /** Memory for the contents of a root that is a file, at least that large; undefined: memory of its own does as well. */
  memoryFor?(bytes: number): Uint8Array | undefined;
}

export interface TreePart extends Omit<FsReadTreeResult, 'dataBase64'> {
  readonly bytes: Uint8Array;
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
  /** Writes entries below `root`; `payload` holds the contents of their files, one behind the other. */
  writeTree(root: NativePath, entries: readonly TreeEntry[], payload: Uint8Array): Promise<void>;
  /** As many entries behind `after` as one reply takes. */
  readTree(root: NativePath, options: ReadTreeOptions): Promise<TreePart>;
}
