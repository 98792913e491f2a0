// What travels between a peer and a transport, encoded but not yet copied into one piece.

/** A bigint stands for an integer beyond 2^53 only, so that every id is echoed exactly. */
export type RequestId = string | number | bigint;

/** Strings are JSON text; a byte array is written as base64 inside the quotes that its neighbours carry. */
export type WireSegments = readonly (string | Uint8Array)[];

export type WireMessage = string | WireSegments;

/** A handler's result that is already encoded, so that payload bytes never pass through JSON.stringify. */
export class WireResult {
  readonly segments: WireSegments;

  constructor(segments: WireSegments) {
    this.segments = segments;
  }
}
