// Exits after the server has ended, even when a handle of it still keeps the event loop alive.

import type { Writable } from 'node:stream';

/** For what is still on its way out: the event loop normally ends by itself when that is written. */
const LEAVE_AFTER_MS = 2000;

/**
 * Log lines are written before their call returns, and websockets are closed by now. What a reader of `outputs` has not taken
 * yet is waited for; one that takes nothing was given up with its connection. A server on stdio has opened its standard output
 * itself and has written all of it: `process.stdout` would be a second stream of the same pipe, which Node refuses to open.
 */
export function leaveSoon(outputs: readonly Writable[] = [process.stdout, process.stderr]): void {
  setInterval(() => {
    if (outputs.every(({ writableLength }) => writableLength === 0)) process.exit();
  }, LEAVE_AFTER_MS).unref();
}

/**
 * For a server whose client is gone when its input has ended: what it has not taken by then is waited for this long, and then given up.
 * One that holds the pipe and never reads would keep the program for ever.
 */
const LEAVE_UNREAD_AFTER_MS = 1000;

export function leaveUnread(): void {
  setTimeout(() => process.exit(), LEAVE_UNREAD_AFTER_MS).unref();
}
