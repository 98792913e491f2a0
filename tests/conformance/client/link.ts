// A byte-level way to reach a server: a websocket, or the stdin and stdout of a program.

export interface LinkEnd {
  /** The websocket close code, 1006 when there was none; for stdio the exit code of the program. */
  readonly code: number | null;
  readonly reason: string;
}

export interface LinkReceiver {
  text(frame: string): void;
  /** A frame that is not text: no server of this protocol sends one. */
  binary(bytes: Uint8Array): void;
  ended(end: LinkEnd): void;
}

export interface Link {
  start(receiver: LinkReceiver): void;
  send(frame: string | Uint8Array): void;
  /** An orderly end where the transport has one. */
  close(): void;
  /** Drops the transport at once, without a goodbye. */
  drop(): void;
}
