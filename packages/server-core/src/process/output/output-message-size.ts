// How much output one message carries, and so how large a block of a log may be.

/** For clients that take text, and the least that is worth a message in a flow. Larger strings are expensive in V8. */
export const MAX_OUTPUT_MESSAGE_BYTES = 64 * 1024;

/** For clients that take raw bytes: what the widest pipe holds, and a page of a log. Each message costs both ends the same. */
export const MAX_BINARY_OUTPUT_MESSAGE_BYTES = 256 * 1024;
