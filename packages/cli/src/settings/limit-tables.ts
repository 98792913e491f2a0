// What each limit of the server is for, in the words of `--help`. Complete by type: a limit without a line here does
// not compile, so every limit has a flag.

import {
  DEFAULT_KEEPALIVE,
  DEFAULT_LISTENER_LIMITS,
  type KeepaliveOptions,
  type ListenerLimits,
} from '@codex/exec-listener';
import { DEFAULT_RPC_LIMITS, type RpcLimits } from '@codex/exec-rpc';
import {
  DEFAULT_FS_LIMITS,
  DEFAULT_HTTP_LIMITS,
  DEFAULT_OBSERVE_LIMITS,
  DEFAULT_PROCESS_LIMITS,
  DEFAULT_SESSION_LIMITS,
  type FsLimits,
  type HttpLimits,
  type ObserveLimits,
  type ProcessLimits,
  type SessionLimits,
} from '@codex/exec-server-core/defaults';

type Texts<Limits> = Readonly<Record<keyof Limits, string>>;

export interface LimitTable {
  readonly title: string;
  readonly defaults: Readonly<Record<string, number | boolean>>;
  readonly texts: Readonly<Record<string, string>>;
}

function table<Limits extends object>(title: string, defaults: Limits, texts: Texts<Limits>): LimitTable {
  return { title, defaults: { ...defaults } as LimitTable['defaults'], texts };
}

export const LIMIT_TABLES = {
  process: table<ProcessLimits>('Limits of processes:', DEFAULT_PROCESS_LIMITS, {
    maxProcessesPerSession: 'processes that one session may run',
    maxProcesses: 'processes that all sessions together may run',
    maxRetainedProcessesPerSession: 'ended processes of one session that stay readable',
    exitedProcessRetentionMs: 'how long an ended process stays readable',
    retainedOutputBytesPerProcess: 'output kept per process',
    retainedReadOutputBytesPerEndedProcess: 'output kept of an ended process whose client has read it',
    retainedOutputBytes: 'output kept by the whole server',
    unsentOutputBytesPerProcess: 'output that may wait for its client before the process is stalled',
    detachedStallMs: 'how long a process with a full log is stalled for a client that is gone',
    snapshotHeadBytes: 'first bytes of each stream that a snapshot keeps',
    queuedInputBytesPerProcess: 'input that is acknowledged before the child has read it',
    waitingInputBytesPerSession: 'input of unanswered writes, per session',
    waitingInputBytes: 'input of unanswered writes, whole server',
    retainedWriteIds: 'write ids remembered per process',
    maxConcurrentLaunches: 'launches under way at once',
    shutdownGracePeriodMs: 'how long children may take to end when the server ends',
    allowDirectExec: 'refuse commands that are not prepared by the caller',
    allowPreparedExec: 'refuse commands that are prepared by the caller',
  }),
  session: table<SessionLimits>('Limits of sessions:', DEFAULT_SESSION_LIMITS, {
    maxSessions: 'sessions of the whole server',
    sessionTtlMs: 'how long a session outlives its connection',
    maxSessionTtlMs: 'the longest time a client may ask for instead',
    takeoverProbeMs:
      'how long the holder of a session may stay silent before another connection takes it over',
  }),
  fs: table<FsLimits>('Limits of files:', DEFAULT_FS_LIMITS, {
    maxReadFileBytes: 'largest file that fs/readFile reads',
    maxReplyFileBytes: 'largest file that one reply carries',
    maxPendingReadBytes: 'file bytes in the pending replies of one connection',
    maxBlockBytes: 'largest block of a file stream',
    maxOpenFiles: 'open file streams per connection',
    maxHandleIdBytes: 'longest id of a file stream',
    maxDirectoryEntries: 'largest directory listing',
    maxWatches: 'watches per connection',
    maxWatchedDirectories: 'directories that one watch may cover',
    maxFileHelpers: 'processes that serve sandboxed file requests',
    maxFileHelpersPerSession: 'sandbox policies of file requests that one session may use at a time',
    fileHelperIdleMs: 'how long a file helper is kept without work',
    fileHelperTimeoutMs: 'how long a file helper with work may be silent',
  }),
  http: table<HttpLimits>('Limits of http/request:', DEFAULT_HTTP_LIMITS, {
    maxHttpRequestsPerConnection: 'requests of one connection under way',
    maxHttpBodyBytes: 'largest body that one reply carries; a larger one must be streamed',
    maxHttpBufferedBytesPerConnection: 'bodies of one connection that wait for their reply',
  }),
  observe: table<ObserveLimits>('Limits of observers:', DEFAULT_OBSERVE_LIMITS, {
    maxObservers: 'connections that watch the sessions of others',
    maxWatchesPerObserver: 'processes that one of them may watch at a time',
    maxWatchWindowBytes: 'output that one watch may be ahead of what it has acknowledged',
    journalEvents: 'events that the journal keeps',
    journalBytes: 'bytes that the journal keeps',
    maxPastProcesses:
      'with --console: ended processes that can be looked at when nothing else is kept of them',
    pastOutputBytesPerProcess: 'output that is kept of each of them',
    recordedBytes: 'with --record: what all recordings together may take; the oldest goes',
    recordedBytesPerProcess: 'with --record: output that is recorded of one process',
    maxApprovalsPerSession: 'questions of one session, those that are decided included',
  }),
  rpc: table<RpcLimits>('Limits of a connection:', DEFAULT_RPC_LIMITS, {
    maxPendingCalls: 'requests of the server without an answer',
    maxInFlightRequests: 'requests of a client in work',
    bulkMarkBytes: 'bytes in the socket up to which output is sent',
    maxQueuedReplyBytes: 'unsent bytes above which a client that does not read is not read from',
    maxQueuedBytes: 'unsent bytes above which a connection is closed',
    maxSentMessageBytes: 'largest message to a client',
  }),
  listener: table<ListenerLimits>('Limits of the listener:', DEFAULT_LISTENER_LIMITS, {
    maxConnections: 'open websockets',
    maxHalfOpen: 'sockets that are not a websocket yet',
    handshakeTimeoutMs: 'how long a socket may take to become a websocket',
    maxHeaderBytes: 'HTTP headers',
    maxMessageBytes: 'largest message of a client',
    maxUnfinishedBytes: 'messages of all clients together that are not whole yet',
  }),
  keepalive: table<KeepaliveOptions>('Keep-alive:', DEFAULT_KEEPALIVE, {
    pingIntervalMs: 'time between looks whether a client is there; 0 switches them off',
    pongTimeoutMs: 'how long a client may then be silent before its connection is ended',
  }),
};

export type LimitSlice = keyof typeof LIMIT_TABLES;
