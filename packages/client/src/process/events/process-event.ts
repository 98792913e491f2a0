// The events of a process, as callers see them.

import type { ExecServerError } from '../../exec-server-error.js';
import type { Gap, StreamName } from '../../result.js';

/** A place in a process' output. Opaque; it may be stored and used by another client on the same session. */
export type Cursor = string;

export interface OutputEvent {
  readonly type: 'output';
  readonly seq: number;
  readonly stream: StreamName;
  readonly bytes: Uint8Array;
  /** Never split inside a character: an unfinished one opens the next event of the same stream. */
  readonly text: string;
  readonly cursor: Cursor;
}

export type ProcessEvent =
  | OutputEvent
  | { readonly type: 'gap'; readonly gap: Gap; readonly cursor: Cursor }
  | {
      readonly type: 'exited';
      readonly seq: number;
      readonly exitCode: number;
      readonly denied: boolean;
      readonly cursor: Cursor;
    }
  | { readonly type: 'closed'; readonly seq: number; readonly cursor: Cursor }
  | { readonly type: 'reconnecting' }
  | { readonly type: 'reconnected' }
  | { readonly type: 'lost'; readonly error: ExecServerError };

export function cursorAt(seq: number): Cursor {
  return `seq:${seq}`;
}

/** The seq after which a cursor stands; undefined when it is none of ours. */
export function seqOfCursor(cursor: Cursor): number | undefined {
  const match = /^seq:(\d{1,15})$/.exec(cursor);
  return match === null ? undefined : Number(match[1]);
}
