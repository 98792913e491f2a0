// The limits of the wire that both sides must agree on or know of. A server's own limits are elsewhere.

/** JSON values in one message, the root counted, keys not. upstream: exec-server-protocol/src/rpc.rs:26 */
export const MAX_JSON_VALUES = 262_144;

/** Nested arrays and objects, the root counted: the 128th level is refused, as upstream's decoder does. */
export const MAX_JSON_DEPTH = 127;

/** One message, in bytes of UTF-8, on every transport. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * What a server parses of one message: all of it but a payload that is decoded where it stands. Parsing is one piece of work that
 * holds up every other client. The kernel takes 2 MiB of arguments and variables, and nothing else is nearly as long.
 */
export const MAX_REQUEST_TEXT_BYTES = 4 * 1024 * 1024;

/** Keys of all objects of such a message together. An object of many keys takes ten times as long as as many other values. */
export const MAX_REQUEST_KEYS = 49_152;

/** Decoded bytes of one `fs/readBlock` or `fs/writeBlock`. */
export const MAX_FILE_BLOCK_BYTES = 1024 * 1024;

/** Decoded bytes of one `http/request/bodyDelta`; above it a Codex client fails the stream. */
export const MAX_HTTP_BODY_DELTA_BYTES = 1024 * 1024;

export const MAX_READ_FILE_BYTES = 512 * 1024 * 1024;

/** UTF-8 bytes of a client-chosen file handle id. */
export const MAX_FILE_HANDLE_ID_BYTES = 32;
export const MAX_OPEN_FILES_PER_CONNECTION = 128;

export const MAX_DIRECTORY_ENTRIES = 50_000;
export const MAX_WALK_DEPTH = 64;
export const MAX_WALK_DIRECTORIES = 10_000;
export const MAX_WALK_ENTRIES = 50_000;
export const MAX_WALK_RESPONSE_BYTES = 4 * 1024 * 1024;
export const WALK_ITEM_OVERHEAD_BYTES = 64;

/** Entries of one `fs/writeTree` or of one reply to `fs/readTree`. */
export const MAX_TREE_ENTRIES = 4096;
/** Names in the path of an entry of a tree. */
export const MAX_TREE_DEPTH = 128;
/** File bytes of one reply to `fs/readTree`, and what a client may as well put into one `fs/writeTree`. */
export const TREE_PAYLOAD_BYTES = 2 * 1024 * 1024;
/** About what an entry of a tree adds to a message besides its path and its contents. */
export const TREE_ENTRY_BYTES = 128;
/** What both ends begin a tree with, so that the other one has something to do early. Each message may be twice the one before. */
export const FIRST_TREE_BYTES = 64 * 1024;
/** Patterns of one `exclude`, and characters of each and of all. */
export const MAX_EXCLUDE_PATTERNS = 1000;
export const MAX_EXCLUDE_PATTERN_LENGTH = 1024;
export const MAX_EXCLUDE_LENGTH = 16 * 1024;

/** The id of an error that answers no request. */
export const NO_REQUEST_ID = -1;

export const DEFAULT_PTY_ROWS = 24;
export const DEFAULT_PTY_COLS = 80;
