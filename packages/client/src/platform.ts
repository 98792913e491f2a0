// What the client needs of the runtime it is in. `#platform` resolves to the implementation for Node or for the web.

import type { SkippedTreeEntry, TreeEntry } from '@codex/exec-protocol';
import type { Channel } from '@codex/exec-rpc';
import type { MachineLoss } from './exec-server-error.js';

export interface HeartbeatTimes {
  /** Silence after which the server is asked. */
  readonly askAfterMs: number;
  /** Silence after which it counts as dead, judged every `askAfterMs`. */
  readonly deadAfterMs: number;
}

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
  readonly kind: 'file' | 'directory' | 'link';
  readonly size: number;
  /** Permission bits, where the local system has them. */
  readonly mode?: number;
  readonly modifiedAtMs?: number;
  /** Of a link. */
  readonly target?: string;
  /** A file that may be read without the thread pool. */
  readonly isOnQuickDisk?: boolean;
}

export interface SkippedEntry {
  readonly path: string;
  /** `notAFile`: neither a file, a directory nor a link. `brokenLink`: where links are followed, one that leads nowhere. */
  readonly why: SkippedTreeEntry['why'] | 'brokenLink';
}

export interface EntriesOptions {
  /** `keep` gives links as such, and leaves out those that lead out of the tree; `follow` what they lead to. */
  readonly links: 'keep' | 'follow';
  /** Leaves an entry out; a directory with everything in it. */
  excludes?(names: readonly string[], isDirectory: boolean): boolean;
  /** Is given each entry when it is found, a directory before what is in it. What it throws ends the walk. */
  onEntry?(entry: LocalEntry): void;
  /** Is told of what is left out because it cannot be copied. */
  onSkip?(skipped: SkippedEntry): void;
}

/** Writes the entries of a tree below one directory; `finish` makes what has to come last. */
export interface LocalTreeWriter {
  write(items: readonly { readonly entry: TreeEntry; readonly bytes: Uint8Array }[]): Promise<void>;
  finish(): Promise<void>;
  /** Removes what is not whole. */
  abandon(): Promise<void>;
}

/** A local file held open: what it was when it was opened. */
export interface LocalSource {
  readonly size: number;
  readonly mode?: number;
  readonly modifiedAtMs: number;
  /** Fills `memory` from `offset` on; fewer bytes than that only at the end. */
  read(memory: Uint8Array, offset: number): Promise<number>;
  /** Whether it has other contents now. */
  hasChanged(): Promise<boolean>;
  close(): Promise<void>;
}

/** Writes one file, which has its name only when it is whole. */
export interface LocalFileWriter {
  write(bytes: Uint8Array, offset: number): Promise<void>;
  finish(attributes: Pick<TreeEntry, 'modifiedAtMs'>): Promise<void>;
  /** Removes what is there of it. */
  abandon(): Promise<void>;
}

/** Files on the client's own disk. */
export interface LocalFiles {
  /** A root that cannot be read is an error. */
  entries(root: string, options: EntriesOptions): Promise<LocalEntry[]>;
  read(root: string, path: string): AsyncIterable<Uint8Array>;
  /** No promise where it took no time. */
  readWhole(
    root: string,
    file: Pick<LocalEntry, 'path' | 'size' | 'isOnQuickDisk'>,
  ): Uint8Array | Promise<Uint8Array>;
  makeDirectory(root: string, path: string): Promise<void>;
  write(root: string, path: string, data: AsyncIterable<Uint8Array>): Promise<void>;
  treeWriter(root: string): LocalTreeWriter;
  openSource(path: string): Promise<LocalSource>;
  /** `mode`: the most that others may do with it; undefined where the source has none. */
  fileWriter(path: string, mode: number | undefined): Promise<LocalFileWriter>;
}

export interface ChannelOpener {
  /** Names the target in errors. Never holds a secret. */
  readonly label: string;
  readonly reopenable: boolean;
  /** How long the first `open` may take besides the handshake. */
  readonly patienceMs?: number;
  open(signal: AbortSignal, about: { readonly resumeSessionId: string | null }): Promise<Channel>;
  /** What a recovery that failed says about the machine of the session. */
  lossOf?(error: unknown, isUnknownSession: boolean): MachineLoss | undefined;
  /** Nothing will be opened any more. */
  close?(): void;
}

/** A fleet: its broker, and which of its machines. */
export interface FleetTarget {
  readonly broker: string;
  readonly environment: string;
  readonly machine?: string;
  readonly credentials?: string;
  readonly caFile?: string;
  readonly token?: string;
  readonly clientName?: string;
  readonly sessionTtlMs?: number;
  readonly acquireTimeoutMs?: number;
  readonly lossGraceMs?: number;
  readonly insecurePlaintext?: boolean;
}

export interface Platform {
  /** Absent where a broker cannot be reached. */
  readonly openFleet?: (target: FleetTarget) => ChannelOpener;
  openWebSocket(url: string, options: WebSocketOptions): Promise<Channel>;
  /** Starts a server and talks to its stdin and stdout; absent where processes cannot be started. */
  readonly openCommand?: (command: ServerCommand) => Promise<Channel>;
  readonly localFiles?: LocalFiles;
}
