// Exits after the server has ended, even when a handle of it still keeps the event loop alive.

/** For what is still on its way out: the event loop normally ends by itself when that is written. */
const LEAVE_AFTER_MS = 2000;

/**
 * Log lines are written before their call returns, and websockets are closed by now. What a reader of the standard output
 * has not taken yet is waited for; one that takes nothing was given up with its connection.
 */
export function leaveSoon(): void {
  setInterval(() => {
    if (process.stdout.writableLength === 0 && process.stderr.writableLength === 0) process.exit();
  }, LEAVE_AFTER_MS).unref();
}
