// Node: websockets with headers and back-pressure, servers on stdio, and files on the local disk.

import { connectWebSocket } from '@codex/exec-rpc/ws';
import type { Platform } from '../platform.js';
import { openCommand } from './command-channel.js';
import { openFleet } from './fleet.js';
import { localFiles } from './local-files.js';

/** An answer to a ping takes its own way; with the interval before it, death is noticed within the heartbeat's timeout. */
const PING_SHARE = 0.8;

export const platform: Platform = {
  openWebSocket: (url, { headers, token, signal, heartbeat }) =>
    connectWebSocket(url, {
      headers,
      signal,
      ...(token === undefined ? {} : { token }),
      keepalive: {
        pingIntervalMs: heartbeat?.askAfterMs ?? 0,
        pongTimeoutMs: (heartbeat?.deadAfterMs ?? 0) * PING_SHARE,
      },
    }),
  openFleet,
  openCommand,
  localFiles,
};
