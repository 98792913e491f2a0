// `ws` at both ends and nothing else, with output as it is or as base64 in JSON: the limit for output over a websocket.
import { join } from 'node:path';
import WebSocket from 'ws';
import { ServerProcess } from '../subjects/server-process.js';
import { BULK_BYTES, LONG_BYTES } from './material.js';
import type { Way } from './way.js';

/** `folder` is that of the benchmark's own programs. */
export function wsWay(name: string, isBinary: boolean, folder: string): Way {
  return {
    name,
    async open() {
      const command = [process.execPath, join(folder, 'programs', 'bare-output-server.mjs')];
      const server = await ServerProcess.start({ name, command });
      const socket = new WebSocket(server.url, { perMessageDeflate: false });
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return {
        jobs: {
          'bulk output': () => output(socket, isBinary, BULK_BYTES),
          'long output': () => output(socket, isBinary, LONG_BYTES),
        },
        processIds: () => [server.pid],
        async close() {
          socket.terminate();
          await server.stop();
        },
      };
    },
  };
}

interface Said {
  readonly chunk?: string;
  readonly isOver?: boolean;
}

function output(socket: WebSocket, isBinary: boolean, expected: number): Promise<void> {
  let bytes = 0;
  socket.send(JSON.stringify({ argv: ['head', '-c', String(expected), '/dev/zero'], isBinary }));
  return new Promise((resolve, reject) => {
    socket.on('message', function take(data: Buffer, isRaw) {
      const said: Said = isRaw ? {} : (JSON.parse(String(data)) as Said);
      bytes += isRaw ? data.length : Buffer.from(said.chunk ?? '', 'base64').length;
      if (said.isOver !== true) return;
      socket.off('message', take);
      if (bytes === expected) resolve();
      else reject(new Error(`${bytes} bytes came`));
    });
  });
}
