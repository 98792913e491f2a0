// The optional features of a server, under the client's own names. A call that needs one is refused before anything
// is sent.

import { type EnvironmentInfo, METHODS } from '@codex/exec-protocol';
import { ExecServerError } from './exec-server-error.js';

type ServerFlag = keyof NonNullable<EnvironmentInfo['capabilities']>;

const SERVER_FLAGS = {
  'stdin.end': METHODS['process/closeStdin'].capability,
  'pty.resize': METHODS['process/resize'].capability,
  'pty.size': 'processStartIo',
  'signal.any': 'processSignalAny',
  'terminate.graceful': 'processTerminateMode',
  'terminate.tree': 'processTerminateTree',
  'process.list': METHODS['process/list'].capability,
  'process.lifecycle': 'lifecycleNotifications',
  'session.ttl': 'sessionTtl',
  'output.gapReport': 'outputGapReport',
  'fs.watch': METHODS['fs/watch'].capability,
  'fs.sandboxedWatch': 'fsWatchSandbox',
  'fs.trees': METHODS['fs/writeTree'].capability,
  'fs.rename': METHODS['fs/rename'].capability,
  'fs.writeOptions': 'fsWriteOptions',
  'fs.writeStream': METHODS['fs/writeBlock'].capability,
  'fs.sandboxedStream': 'sandboxedFileStreaming',
  observe: METHODS['observe/open'].capability,
  approvals: METHODS['approvals/ask'].capability,
} as const satisfies Record<string, ServerFlag>;

/** The last three are matters of the client's own runtime or target, not of the server. */
export type Capability =
  | keyof typeof SERVER_FLAGS
  | 'connect.command'
  | 'connect.fleet'
  | 'connect.headers'
  | 'fs.localFiles'
  | 'reconnect';

const HINTS: Partial<Record<Capability, string>> = {
  'stdin.end': 'Pass the whole input as `stdin` to run(), or use a tty, where the end is Ctrl-D.',
  'pty.resize': 'This server keeps every terminal at 24 rows and 80 columns.',
  'pty.size': 'This server gives every terminal 24 rows and 80 columns; use tty: true.',
  'signal.any': 'Use interrupt() or terminate(), which every server has.',
  'fs.watch': 'Poll with fs.stat() or fs.walk().',
  'fs.writeOptions': 'Write the whole file without append, create or atomic.',
  observe: 'Its processes can be seen by the client that started them only.',
  approvals: 'Ask where the client runs: this server cannot carry the question to those who watch.',
  'connect.command': 'Starting a server needs Node; connect to a URL instead.',
  'connect.fleet':
    'A broker is reached from Node, with the package @codex/exec-fleet; elsewhere connect to a gateway.',
  'connect.headers': 'Browsers send no headers with a websocket; put a proxy in front that adds them.',
  'fs.localFiles': 'Local files need Node; use fs.write() and fs.readStream() with your own data.',
};

export class Capabilities {
  readonly #flags: NonNullable<EnvironmentInfo['capabilities']>;
  readonly #version: string | undefined;

  constructor(info: EnvironmentInfo) {
    this.#flags = info.capabilities ?? {};
    this.#version = info.executorVersion ?? undefined;
  }

  supports(capability: Capability): boolean {
    const flag = (SERVER_FLAGS as Partial<Record<Capability, ServerFlag>>)[capability];
    return flag !== undefined && this.#flags[flag] === true;
  }

  /** Throws `unsupported` unless the server announces it. `what` starts the sentence. */
  require(capability: Capability, what: string): void {
    if (!this.supports(capability)) throw unsupported(capability, what, this.#version);
  }
}

export function unsupported(
  capability: Capability,
  what: string,
  serverVersion?: string,
): ExecServerError<'unsupported'> {
  const server = serverVersion === undefined ? '' : ` by this server (version ${serverVersion})`;
  const hint = HINTS[capability];
  return new ExecServerError('unsupported', `${what} is not supported${server}`, {
    details: { capability, ...(serverVersion === undefined ? {} : { serverVersion }) },
    ...(hint === undefined ? {} : { hint }),
  });
}
