// Up to this size a file is small: it may be read and overwritten synchronously, and its reply is not counted against
// the room for replies (the limit on requests in flight bounds those).
export const SMALL_FILE_BYTES: number = 32 * 1024;
