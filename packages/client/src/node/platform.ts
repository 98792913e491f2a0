// Node: websockets with headers and back-pressure, servers on stdio, and files on the local disk.

import { connectWebSocket } from '@codex/exec-rpc/ws';
import type { Platform } from '../platform.js';
import { openCommand } from './command-channel.js';
import { localFiles } from './local-files.js';

export const platform: Platform = {
  openWebSocket: (url, { headers, signal }) => connectWebSocket(url, { headers, signal }),
  openCommand,
  localFiles,
};
