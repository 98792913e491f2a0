/**
 * The most output that one message carries, and so the largest block of a log: what a full pipe holds. Larger messages cost
 * clients more than they save: strings beyond 128 KiB are expensive in V8.
 */
export const MAX_OUTPUT_MESSAGE_BYTES = 64 * 1024;
