// What the suite can be run against.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Link } from '../client/link.js';
import type { WebSocketOptions } from '../client/websocket-link.js';
import type { ExpectedDifference } from '../expected/expected-difference.js';

export interface RunningServer {
  readonly url: string;
  /** True once the server has ended by itself. */
  hasEnded(): boolean;
  stop(): Promise<void>;
}

export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LaunchedProgram {
  readonly child: ChildProcessWithoutNullStreams;
  readonly exited: Promise<ProgramExit>;
  /** Everything on stderr, once the program has ended and nothing holds the stream any more. */
  readonly stderr: Promise<string>;
  /** Resolves with the first line on stdout. Only for a program that is not used as a stdio link. */
  firstLine(): Promise<string>;
  stop(): Promise<void>;
}

export interface Target {
  readonly name: string;
  readonly features: ReadonlySet<string>;
  readonly expected: readonly ExpectedDifference[];
  start(): Promise<RunningServer>;
  /** Where the server is not reached by a websocket: then nothing is asked of its websockets. */
  connect?(url: string, options: WebSocketOptions): Promise<Link>;
  /** The same without anything that `connect` adds, where a websocket would not do. */
  openLink?(url: string): Promise<Link>;
  /** Runs `exec-server` with these arguments. */
  launch?(args: readonly string[]): Promise<LaunchedProgram>;
}
