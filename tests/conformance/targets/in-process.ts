// Our server inside the process of the suite, behind its own websocket listener. The only file that imports it.
import { WebSocketListener } from '@codex/exec-listener';
import { ExecServer, nodeHelper } from '@codex/exec-server-core';
import { bundleFileHelper } from '../../../scripts/bundling/bundle-file-helper.js';
import { EXPECTED_OF_OURS } from '../expected/ours.js';
import { ourExtensions } from './our-features.js';
import { PLANTED_ENVIRONMENT } from './planted-environment.js';
import type { Target } from './target.js';

export function inProcessTarget(): Target {
  return {
    name: 'our server, in process',
    features: new Set(['shared-host', 'planted-environment', ...ourExtensions()]),
    expected: EXPECTED_OF_OURS,
    async start() {
      const helper = bundleFileHelper();
      const server = new ExecServer({
        env: { ...process.env, ...PLANTED_ENVIRONMENT },
        fileHelper: nodeHelper(helper.file),
      });
      const listener = await WebSocketListener.listen({
        host: '127.0.0.1',
        port: 0,
        onChannel: (channel, { identity, seesOthers = false }) =>
          server.accept(channel, { identity, seesOthers }),
      });
      return {
        url: listener.url,
        hasEnded: () => false,
        async stop() {
          await server.shutdown();
          await listener.close();
          helper.remove();
        },
      };
    },
  };
}
