// What a peer needs of a transport: ordered whole messages, a byte count for back-pressure, and one end.
// Implementations: in-memory (here), websocket (`./ws`, `./ws-channel`), lines on a stream pair (`./stdio`).

import type { WireMessage } from '@codex/exec-protocol';

export interface Channel {
  /** Names the remote end in messages, e.g. `exec-server websocket 127.0.0.1:5555`. Never holds a secret. */
  readonly label: string;
  /** Which wording a malformed message is answered with; a channel without it counts as neither. */
  readonly transport?: 'websocket' | 'stdio' | 'memory';
  /** Begins delivery, called once. Nothing is delivered synchronously from inside this call. */
  start(receiver: ChannelReceiver): void;
  /**
   * Takes the message at once and never blocks; `bufferedBytes` says what that costs. A message of up to 512 KiB is
   * copied before this returns; the byte segments of a longer one belong to the channel from here on, and the caller must
   * not change them. After the end it does nothing. `onTaken` is called once when the channel does not look at the byte
   * segments any more, possibly before this returns; a channel that does not know, or fails, never calls it.
   */
  send(message: WireMessage, onTaken?: () => void): void;
  /** False when nothing more can arrive, although `closed` may not have been told yet: what is sent then is lost. */
  readonly canSend?: boolean;
  /** Bytes that were sent and that the transport has not taken. */
  readonly bufferedBytes: number;
  /**
   * Those of them that wait in this process. Absent when that is all of them. What is unread at the remote end shrinks only
   * while its answers are read, so a sender that stops reading must not wait for that part.
   */
  readonly queuedBytes?: number;
  /**
   * Of what was sent, no more than this should be unread by the remote end: beyond it bytes count as buffered. For a
   * transport that takes much and loses it with the connection; the others go without.
   */
  boundUnread?(bytes: number): void;
  /**
   * Bytes of all messages that were sent, and how many of them the remote end is known to have read. Absent where nothing
   * is known, now or in general: then what was sent has to count as read.
   */
  readonly sentBytes?: number;
  readonly readBytes?: number | undefined;
  /** The remote end cannot come back, so its silence is borne for longer before the channel counts as broken. */
  tolerateSilence?(): void;
  /** Stops delivery of messages (a few that are already read may follow) until `resume`. */
  pause(): void;
  resume(): void;
  /** Absent where every message travels as text. */
  readonly binary?: BinaryForm | undefined;
  /**
   * Sends a message that another channel has received, as it is and in its form, whatever was agreed on here. Its bytes are
   * copied, or belong to the channel, as those of `send`.
   */
  pass?(message: Uint8Array, isBinary: boolean): void;
  /**
   * Releases the memory of a received payload, whose bytes are no longer used. What is not given back is garbage like any
   * other.
   */
  releasePayload?(bytes: Uint8Array): void;
  /** False where a remote end that vanished cannot be told from a silent one: then the peer needs a heartbeat. */
  readonly noticesDeath?: boolean;
  /** When the remote end was last heard, as epoch milliseconds, where the channel knows: time passes for a suspended machine. */
  readonly heardAt?: number;
  /** Asks the remote end for a sign of life. Resolves false when none came in time, or the channel has ended. */
  probe(timeoutMs: number): Promise<boolean>;
  /** Ends the channel; what was sent before goes out first where the remote end still reads. */
  close(code?: number, reason?: string): void;
}

/** Messages with payloads as raw bytes, see `binary-message.ts` of the protocol. Both ends have to agree on it first. */
export interface BinaryForm {
  /** From here on binary messages are taken. */
  accept(): void;
  /** From here on messages with payloads are sent in binary form. */
  send(): void;
}

export interface ChannelReceiver {
  message(text: string): void;
  /**
   * A message in binary form; only after `BinaryForm.accept`. The bytes belong to the receiver. `release` gives them back
   * when they are no longer used, and need not be called.
   */
  binaryMessage?(bytes: Uint8Array, release: () => void): void;
  /**
   * Offers a long message as it arrived, before it is known to be UTF-8. The bytes are good until this returns. False,
   * or no such method: it is wanted as text. `memory` is where a decoded payload may go.
   */
  longMessage?(bytes: Uint8Array, memory: PayloadMemory): boolean;
  /** A message was too long to be read and was skipped. Only of a channel that skips such messages instead of ending. */
  skipped?(reason: string): void;
  /**
   * The remote end sends no more and may still read. The channel ends when the promise settles, or when the channel has
   * waited long enough; without this method at once.
   */
  inputEnded?(): Promise<void>;
  /** Follows every `send` in a later turn of the event loop, when the transport has taken bytes. */
  drained(): void;
  /** The last call, exactly once. */
  closed(info: ChannelClose): void;
}

/** Memory of the transport that is used again and again. Only runtimes with long messages have it. */
export interface PayloadMemory {
  /** At least that many bytes, with anything in them. What is not given back is garbage like any other. */
  borrow(bytes: number): Uint8Array;
  /** Only when the bytes are no longer used. */
  release(bytes: Uint8Array): void;
}

/** Close code for a remote end that asks and does not read (policy violation): what waits for it is dropped. */
export const CLOSE_NOT_READING = 1008;

/** Close code for a message whose text is not UTF-8. */
export const CLOSE_NOT_UTF8 = 1007;

/** Close code for a message over the limit. */
export const CLOSE_TOO_LARGE = 1009;

/** Close code of a client that does not come back: its session need not wait for it. */
export const CLOSE_LEFT = 4002;

export interface ChannelClose {
  /** Websocket close code, where there is one. */
  readonly code?: number;
  readonly reason: string;
  /** The remote end or this one said goodbye, as opposed to a connection that broke. */
  readonly clean: boolean;
}
