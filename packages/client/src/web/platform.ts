// The platform for browsers: the runtime's own websocket, without headers, local files and processes.

import { unsupported } from '../capabilities.js';
import type { Platform } from '../platform.js';
import { openWebChannel, tokenProtocols } from './web-channel.js';

export const platform: Platform = {
  openWebSocket: async (url, { headers, token, signal }) => {
    if (Object.keys(headers).length > 0) throw unsupported('connect.headers', 'Sending headers');
    return openWebChannel(url, { signal, ...tokenProtocols(token) });
  },
};
