// The first connection of a session, and what every connection says about itself.

import { RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { sleep, systemClock } from '@codex/exec-rpc';
import type { ExecServerError } from '../exec-server-error.js';
import type { ChannelOpener } from './channel-opener.js';
import type { ConnectOptions } from './connect-options.js';
import { type HandshakeOptions, type OpenConnection, openConnection } from './handshake.js';

export interface LinkListener {
  notification(method: string, params: unknown): void;
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
}

export function handshakeOptions(
  { opener, options, listener }: LinkParts,
  resumeSessionId: string | null,
): HandshakeOptions {
  return {
    opener,
    clock: options.clock ?? systemClock,
    clientName: options.clientName ?? 'exec-client',
    resumeSessionId,
    timeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    ...(options.sessionTtlMs === undefined ? {} : { sessionTtlMs: options.sessionTtlMs }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    onNotification: ({ method, params }: { method: string; params: unknown }) =>
      listener.notification(method, params),
  };
}

/** A session that is taken up may still be attached to the connection that just ended: that passes. */
export async function openFirst(parts: LinkParts): Promise<OpenConnection> {
  const { resume, clock = systemClock } = parts.options;
  const handshake = handshakeOptions(parts, resume?.sessionId ?? null);
  const deadline = clock.now() + handshake.timeoutMs;
  for (;;) {
    try {
      return await openConnection({ ...handshake, timeoutMs: Math.max(1, deadline - clock.now()) });
    } catch (error) {
      const isAttached = error instanceof RpcError && error.code === RpcErrorCode.sessionAttached;
      if (!isAttached || !parts.opener.reopenable || clock.now() >= deadline) throw error;
      await sleep(clock, ATTACHED_RETRY_MS, parts.options.signal);
    }
  }
}
