// The limits of the file slice. Those that a client can see have the peer's values as defaults.
import {
  MAX_DIRECTORY_ENTRIES,
  MAX_FILE_BLOCK_BYTES,
  MAX_FILE_HANDLE_ID_BYTES,
  MAX_OPEN_FILES_PER_CONNECTION,
  MAX_READ_FILE_BYTES,
} from '@codex/exec-protocol';

export interface FsLimits {
  /** `fs/readFile` refuses larger files, as the peer does. */
  readonly maxReadFileBytes: number;
  /** A reply above this could not be taken by a client with a 64 MiB message limit (base64 adds a third). */
  readonly maxReplyFileBytes: number;
  /** File bytes that the replies of one connection may hold together before the transport has taken them. */
  readonly maxPendingReadBytes: number;
  /** Bytes of one `fs/readBlock` or `fs/writeBlock`. */
  readonly maxBlockBytes: number;
  readonly maxOpenFiles: number;
  readonly maxHandleIdBytes: number;
  readonly maxDirectoryEntries: number;
  readonly maxWatches: number;
  /** Directories that one watch may cover; above it the watch is refused or reports an overflow. */
  readonly maxWatchedDirectories: number;
  /** Processes that serve sandboxed file requests: of all sessions, and of one. */
  readonly maxFileHelpers: number;
  readonly maxFileHelpersPerSession: number;
  /** How long such a process is kept without work. */
  readonly fileHelperIdleMs: number;
  /** How long one with work may be silent before it counts as lost. */
  readonly fileHelperTimeoutMs: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_FS_LIMITS: FsLimits = {
  maxReadFileBytes: MAX_READ_FILE_BYTES,
  maxReplyFileBytes: 48 * MIB - 64 * 1024,
  maxPendingReadBytes: 64 * MIB,
  maxBlockBytes: MAX_FILE_BLOCK_BYTES,
  maxOpenFiles: MAX_OPEN_FILES_PER_CONNECTION,
  maxHandleIdBytes: MAX_FILE_HANDLE_ID_BYTES,
  maxDirectoryEntries: MAX_DIRECTORY_ENTRIES,
  maxWatches: 64,
  maxWatchedDirectories: 50_000,
  maxFileHelpers: 64,
  maxFileHelpersPerSession: 8,
  fileHelperIdleMs: 60_000,
  fileHelperTimeoutMs: 20_000,
};
