// What travels between a peer and a transport, encoded but not yet copied into one piece.

/** A bigint stands for an integer beyond 2^53 only, so that every id is echoed exactly. */
export type RequestId = string | number | bigint;

/**
 * Strings are JSON text. A byte array stands between two of them, inside the quotes that they carry: in a text message it is
 * written there as base64, in a binary one (`binary-message.ts`) it follows the text.
 */
export type WireSegments = readonly (string | Uint8Array)[];

export type WireMessage = string | WireSegments;

/** A handler's result that is already encoded, so that payload bytes never pass through JSON.stringify. */
export class WireResult {
  readonly segments: WireSegments;
  /** Called when nobody looks at the bytes of the segments any more; not at all where that never comes to be known. */
  readonly onTaken: (() => void) | undefined;

  constructor(segments: WireSegments, onTaken?: () => void) {
    this.segments = segments;
    this.onTaken = onTaken;
  }
}
