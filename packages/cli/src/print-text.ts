// Prints text to stdout or stderr. A reader that has closed its end (`| head`) is no failure, and no stack trace.

import { writeSync } from 'node:fs';
import { plainJson } from '@codex/exec-protocol';

const STDOUT = 1;
const STDERR = 2;
const RETRY_MS = 5;
/** A second: a reader that is slower does not hold this program up. */
const MOST_RETRIES = 200;

let unwritten: string | undefined;

/** Why not all that was printed to stdout is there, a full disk for one; undefined when it is, or when its reader has left. */
export function whyUnwritten(): string | undefined {
  return unwritten;
}

/** False when nobody reads it any more, which who goes on for long wants to know. */
export function printText(text: string): boolean {
  return writeAll(STDOUT, text);
}

export function printError(text: string): void {
  writeAll(STDERR, text);
}

/** One line of JSON on stdout, for a script. */
export function printJson(value: unknown): boolean {
  return printText(`${plainJson(value)}\n`);
}

/** Straight to the descriptor: making a stream of it first would be a noticeable part of a start. */
function writeAll(fd: number, text: string): boolean {
  let retries = 0;
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
      retries = 0;
    } catch (error) {
      // Another process that shares the descriptor has made it non-blocking.
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
      if (code === 'EPIPE') return false;
      if (code !== 'EAGAIN' || ++retries > MOST_RETRIES) {
        if (fd === STDOUT) unwritten ??= error instanceof Error ? error.message : String(error);
        return true;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
  return true;
}
