// What a launcher gives back. The same for both kinds of launcher.
import type { LaunchSpec } from './launch-spec.js';
import type { ProcessEntry } from './process-table.js';

export interface Launcher {
  readonly kind: 'native' | 'node';
  /** Where this launcher keeps less than the native one promises; empty for the native one. One sentence each. */
  readonly weaknesses: readonly string[];
  /** The native program, which has other services than launching (`--watch`). */
  readonly launcherProgram?: string;
  /** A launch will come soon: what it needs is made ready meanwhile. */
  expect?(): void;
  /** Rejects with a LaunchError; afterwards nothing of the attempt is left. */
  launch(spec: LaunchSpec): Promise<LaunchedProcess>;
  /** Ends what the launcher keeps ready for later launches. Running commands are not touched. */
  close(): void;
}

export interface LaunchedProcess {
  /** Also its session and process-group number. */
  readonly pid: number;
  /** Undefined when stdin is closed. */
  readonly input: ProcessInput | undefined;
  /** `[stdout, stderr]`, or `[pty]`. Each is to be started or discarded: until its end it holds descriptors. */
  readonly outputs: readonly ProcessOutput[];
  /**
   * Settles when the command itself ends, even while other processes hold its pipes: at once on pipes; on a terminal
   * when what the command wrote has been passed on, unless its output is paused. So start the outputs before you wait
   * for it.
   */
  readonly exited: Promise<ExitStatus>;
  /** No descendant is left. May settle before `exited`, where output of a terminal is still to be read. */
  readonly treeGone: Promise<void>;
  signal(name: NodeJS.Signals, scope?: SignalScope): void;
  /** Without a pty nothing happens. */
  resize(rows: number, cols: number): void;
  /** SIGKILL to every descendant, also those that left the group or the session. */
  killTree(): void;
  /** What is alive of the tree, parents first. Undefined where this launcher cannot tell. */
  members?(): Promise<readonly ProcessEntry[]>;
}

/** `descendants`: all below the command but not the command itself (what a sandbox wrapper has started). */
export type SignalScope = 'command' | 'group' | 'descendants';

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The supervisor was killed by another process: the status is what was done to the command, not what it answered. */
  readonly supervisorLost?: true;
  /** One of the `keptMounts` was gone, so everything was killed: the status is what was done to the command. */
  readonly lostMount?: string;
  /** What was written to the descriptor granted as `report`. */
  readonly report?: Buffer;
}

export interface ProcessOutput {
  readonly stream: 'stdout' | 'stderr' | 'pty';
  /** Call once. Nothing is read before. `onEnd` comes once, after the last block. */
  start(onData: (block: Buffer) => void, onEnd: () => void, options?: OutputOptions): void;
  /** Reading really stops: the kernel's buffer fills and the command waits. */
  pause(): void;
  resume(): void;
  /**
   * For when the tree is gone and what other processes may still write is not wanted: reading ends, and `onEnd` follows soon if
   * it was started. A command that still runs would be stuck with a terminal that is not read.
   */
  discard(): void;
}

export interface OutputOptions {
  /**
   * Blocks are valid during `onData` only, because their memory is read into again. Cheapest where they are copied
   * anyway.
   */
  readonly transient?: boolean;
}

export interface ProcessInput {
  /**
   * Resolves when the operating system has taken all bytes; stays pending while the command does not read.
   * Rejects with a LaunchIoError: EPIPE when the reader is gone. The bytes must not be changed before.
   */
  write(bytes: Uint8Array): Promise<void>;
  /** After the writes before it. A pipe is closed; a pty gets its end-of-file character (0x04). */
  end(): void;
}
