// Opens the first connection of a session, and builds the `initialize` parameters that every connection sends.

import { RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { sleep, systemClock } from '@codex/exec-rpc';
import { ExecServerError } from '../exec-server-error.js';
import type { ChannelOpener } from '../platform.js';
import type { ConnectOptions } from './connect-options.js';
import { type HandshakeOptions, type OpenConnection, openConnection } from './handshake.js';
import { heartbeatTimes } from './heartbeat.js';

export interface LinkListener {
  readonly onNotification: HandshakeOptions['onNotification'];
  /** The session is attached again; what was pushed in between has to be read. */
  reconnected(): void;
  reconnecting(): void;
  /** Nothing will come any more. */
  ended(error: ExecServerError): void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const ATTACHED_RETRY_MS = 100;

export interface LinkParts {
  readonly opener: ChannelOpener;
  readonly options: ConnectOptions;
  readonly listener: LinkListener;
  readonly role?: 'observer';
}

export function handshakeOptions(
  { opener, options, listener, role }: LinkParts,
  resumeSessionId: string | null,
): HandshakeOptions {
  return {
    opener,
    clock: options.clock ?? systemClock,
    clientName: options.clientName ?? 'exec-client',
    resumeSessionId,
    ...(role === undefined ? {} : { role }),
    heartbeat: heartbeatTimes(options.heartbeat),
    timeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...(options.sessionTtlMs === undefined ? {} : { sessionTtlMs: options.sessionTtlMs }),
    ...(options.binaryPayloads === undefined ? {} : { binaryPayloads: options.binaryPayloads }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    onNotification: listener.onNotification,
  };
}

/** A session that is taken up may still be attached to the connection that just ended: that passes. */
export async function openFirst(parts: LinkParts): Promise<OpenConnection> {
  const { resume, clock = systemClock } = parts.options;
  const handshake = handshakeOptions(parts, resume?.sessionId ?? null);
  const firstTimeoutMs = handshake.timeoutMs + (parts.opener.patienceMs ?? 0);
  const deadline = clock.now() + firstTimeoutMs;
  let held: RpcError | undefined;
  for (let remaining = firstTimeoutMs; ; remaining = deadline - clock.now()) {
    if (held !== undefined && remaining <= 0) throw held;
    try {
      return await openConnection({ ...handshake, timeoutMs: remaining });
    } catch (error) {
      if (!isAttached(error)) {
        if (held !== undefined && isTimeout(error)) throw held;
        throw error;
      }
      if (!parts.opener.reopenable) throw error;
      // At the deadline the reason to report is that another connection holds the session, not that time is up.
      held = error;
      await sleep(clock, ATTACHED_RETRY_MS, parts.options.signal);
    }
  }
}

function isAttached(error: unknown): error is RpcError {
  return error instanceof RpcError && error.code === RpcErrorCode.sessionAttached;
}

function isTimeout(error: unknown): boolean {
  return ExecServerError.is(error, 'transport.timeout');
}
