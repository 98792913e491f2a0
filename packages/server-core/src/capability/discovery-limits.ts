// The limits of a discovery. All but the last are the peer's.
export const MAX_ROOTS = 128;
export const ROOTS_AT_ONCE = 8;
export const FILES_AT_ONCE = 8;
export const WALK_BOUNDS = { maxDepth: 6, maxDirectories: 2_000, maxEntries: 20_000 } as const;
export const MAX_FILE_BYTES = 1024 * 1024;
export const MAX_ROOT_BYTES = 16 * 1024 * 1024;
/** Of all roots together, as JSON: a client takes messages of up to 64 MiB. */
export const MAX_ANSWER_BYTES = 48 * 1024 * 1024;
