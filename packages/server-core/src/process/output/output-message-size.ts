// How much output one message carries, and so how large a block of a log may be.

/** For clients that take text, and the least that is worth a message in a flow. Larger strings are expensive in V8. */
export const MAX_OUTPUT_MESSAGE_BYTES = 64 * 1024;

/**
 * For clients that take raw bytes, and a page of a log. Each message costs both ends the same, so it is longer than what the widest pipe
 * holds. For blocks of 512 KiB a client in Node was given fresh pages by the C library again and again.
 */
export const MAX_BINARY_OUTPUT_MESSAGE_BYTES = 448 * 1024;
