// Bun: what Node has, on Bun's own websocket. Its stand-in for `ws` hides the socket that the one for Node writes to.

import type { Platform } from '../platform.js';
import { openWebChannel } from '../web/web-channel.js';
import { openCommand } from './command-channel.js';
import { openFleet } from './fleet.js';
import { localFiles } from './local-files.js';

export const platform: Platform = {
  openWebSocket: async (url, { headers, token, signal }) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return openWebChannel(url, { signal, second: { headers: { ...headers, ...authorization } } });
  },
  openFleet,
  openCommand,
  localFiles,
};
