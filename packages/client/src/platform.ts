// What the client needs of the runtime it is in. `#platform` resolves to the implementation for Node or for the web.

import type { Channel } from '@codex/exec-rpc';
import type { HeartbeatTimes } from './session/heartbeat.js';

export interface WebSocketOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly token?: string;
  /** Where the transport can look for signs of life itself. Undefined: it must not. */
  readonly heartbeat?: HeartbeatTimes | undefined;
  readonly signal: AbortSignal;
}

export interface ServerCommand {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd?: string;
  /** Added to this process' environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface LocalEntry {
  /** Relative to the root, with `/` between the names; empty for the root itself. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
  readonly size: number;
  /** Permission bits, where the local system has them. */
  readonly mode?: number;
}

export interface SkippedEntry {
  readonly path: string;
  /** A link that leads nowhere; or neither a file nor a directory. */
  readonly why: 'brokenLink' | 'notAFile';
}

/** Files on the client's own disk. */
export interface LocalFiles {
  /** `onSkip` is told of what is left out. A root that cannot be read is an error. */
  entries(root: string, onSkip?: (skipped: SkippedEntry) => void): Promise<LocalEntry[]>;
  read(root: string, path: string): AsyncIterable<Uint8Array>;
  makeDirectory(root: string, path: string): Promise<void>;
  write(root: string, path: string, data: AsyncIterable<Uint8Array>): Promise<void>;
}

export interface Platform {
  openWebSocket(url: string, options: WebSocketOptions): Promise<Channel>;
  /** Starts a server and talks to its stdin and stdout; absent where processes cannot be started. */
  readonly openCommand?: (command: ServerCommand) => Promise<Channel>;
  readonly localFiles?: LocalFiles;
}
