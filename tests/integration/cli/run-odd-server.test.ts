// `exec-server run` on servers that break the protocol: it never ends as if all was well.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { codex } from './support/codex-command.js';

const SESSION = {
  sessionId: 'odd',
  environmentInfo: {
    shell: { name: 'sh', path: '/bin/sh' },
    cwd: 'file:///tmp',
    platformOs: 'linux',
    capabilities: {},
  },
};

type Send = (message: object) => void;

/** A server on which everything fails but the opening and the start; `started` says what comes after that. */
async function oddServer(
  started: (send: Send, processId: string, socket: WebSocket) => void,
): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  server.on('connection', (socket) => {
    const send: Send = (message) => socket.send(JSON.stringify(message));
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data));
      if (id === undefined) return;
      if (method === 'initialize') send({ id, result: SESSION });
      else if (method === 'process/start') {
        send({ id, result: { processId: params.processId, sandboxType: 'none' } });
        started(send, params.processId, socket);
      } else send({ id, error: { code: -32603, message: 'no such thing here' } });
    });
  });
  await once(server, 'listening');
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('fails where output comes and never what is before it', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'y').toString('base64');
  const url = await oddServer((send, processId) => {
    for (let seq = 5; seq < 69; seq++)
      send({ method: 'process/output', params: { processId, seq, stream: 'stdout', chunk } });
  });
  const { code, stdout, stderr } = await codex(['run', '--url', url, '--', 'true']);
  expect({ code, stdout: String(stdout) }).toEqual({ code: 125, stdout: '' });
  expect(stderr).toContain('exec-server run: ');
});

it.each([1e300, 0.5, 2 ** 32])('fails where the exit code is %j', async (exitCode) => {
  const url = await oddServer((send, processId) => {
    send({ method: 'process/exited', params: { processId, seq: 1, exitCode } });
    send({ method: 'process/closed', params: { processId, seq: 2 } });
  });
  const { code, stderr } = await codex(['run', '--url', url, '--', 'true']);
  expect(code).toBe(125);
  expect(stderr).toBe('exec-server run: the server sent an exit code that is no integer of 32 bits\n');
});
