// Opens one connection: the channel, then `initialize` and `initialized`, within a deadline.

import {
  type Clock,
  type EnvironmentInfo,
  type Grant,
  type InitializeParams,
  type InitializeResult,
  PAYLOAD_MEMBERS,
} from '@codex/exec-protocol';
import { type IncomingNotification, RpcPeer } from '@codex/exec-rpc';
import { unsupported } from '../capabilities.js';
import { abortedError, ExecServerError, isExecServerError } from '../exec-server-error.js';
import type { ChannelOpener, HeartbeatTimes } from '../platform.js';
import { Heartbeat } from './heartbeat.js';

export interface HandshakeOptions {
  readonly opener: ChannelOpener;
  readonly clock: Clock;
  readonly clientName: string;
  readonly resumeSessionId: string | null;
  /** Instead of a session: the right to watch those of others. */
  readonly role?: 'observer';
  /** To be told who watches and who acts. */
  readonly interventions?: boolean;
  readonly sessionTtlMs?: number;
  /** Default true: payloads travel as raw bytes where both ends and the way between them can. */
  readonly binaryPayloads?: boolean;
  readonly timeoutMs: number;
  readonly heartbeat: HeartbeatTimes | undefined;
  readonly signal?: AbortSignal;
  readonly onNotification: (notification: IncomingNotification) => void;
}

export interface OpenConnection {
  readonly peer: RpcPeer;
  readonly sessionId: string;
  readonly info: EnvironmentInfo;
  /** What an observer may do. */
  readonly grants: readonly Grant[];
}

/** Rejects with whatever failed: the caller knows whether it is a first connection or a recovery. */
export async function openConnection(options: HandshakeOptions): Promise<OpenConnection> {
  const deadline = new AbortController();
  const timer = options.clock.schedule(options.timeoutMs, () => deadline.abort(timeoutError(options)));
  const signal =
    options.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, options.signal]);
  try {
    return await untilAborted(connectAndInitialize(options, signal), signal);
  } finally {
    timer.cancel();
  }
}

async function connectAndInitialize(options: HandshakeOptions, signal: AbortSignal): Promise<OpenConnection> {
  const channel = await options.opener.open(signal, { resumeSessionId: options.resumeSessionId });
  if (signal.aborted) channel.close();
  const peer = new RpcPeer(channel, {
    onRequest: ({ method }) => {
      // The protocol's server-to-client requests belong to features this client never asks for.
      throw new ExecServerError('protocol.violation', `unexpected request ${method}`, {
        details: { message: method },
      });
    },
    onNotification: options.onNotification,
    payloadMembers: PAYLOAD_MEMBERS,
  });
  const wantsBinary = options.binaryPayloads !== false && peer.canUseBinary;
  // The server may send binary messages as soon as it has answered, ahead of what follows here.
  if (wantsBinary) peer.acceptBinary();
  const abandon = (): void => peer.close();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    const asked = { ...initializeParams(options), ...(wantsBinary ? { binaryPayloads: true } : {}) };
    const result = (await peer.call('initialize', asked)) as InitializeResult;
    // A server that does not know observers opened a session for one.
    if (options.role === 'observer' && result.grants == null) throw unsupported('observe', 'Observing');
    peer.notify('initialized', {});
    const info = result.environmentInfo ?? ((await peer.call('environment/info', null)) as EnvironmentInfo);
    if (wantsBinary && info.capabilities?.binaryPayloads === true) peer.sendBinary();
    if (channel.noticesDeath === false && options.heartbeat !== undefined) {
      new Heartbeat(peer, options.clock, options.heartbeat);
    }
    return { peer, sessionId: result.sessionId, info, grants: result.grants ?? [] };
  } catch (error) {
    peer.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

function initializeParams(options: HandshakeOptions): InitializeParams {
  const { clientName, role, resumeSessionId, sessionTtlMs, interventions } = options;
  if (role === 'observer') return { clientName, role };
  return {
    clientName,
    resumeSessionId,
    // Servers that know it tell when a process is lost on their side.
    lifecycleNotifications: true,
    ...(interventions === true ? { interventions } : {}),
    ...(sessionTtlMs === undefined ? {} : { sessionTtlMs }),
  };
}

/** A channel that opens after the deadline is closed by its opener or by the abandoned handshake above. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      const { reason } = signal as { reason: unknown };
      reject(isExecServerError(reason) ? reason : abortedError('connect', reason));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function timeoutError({ opener, timeoutMs }: HandshakeOptions): ExecServerError<'transport.timeout'> {
  return new ExecServerError(
    'transport.timeout',
    `${opener.label} did not complete the handshake within ${timeoutMs} ms`,
    {
      details: { method: 'initialize', timeoutMs },
      retryable: true,
    },
  );
}
