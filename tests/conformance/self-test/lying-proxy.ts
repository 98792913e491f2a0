// Stands between the suite and a real server, passes requests on as they are, and lies about the answers.
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { RunningServer } from '../targets/target.js';
import type { Lie } from './lies.js';

const MAX_BYTES = 256 * 1024 * 1024;

export async function startLyingProxy(realUrl: string, lie: Lie): Promise<RunningServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: MAX_BYTES });
  await new Promise((done) => server.once('listening', done));
  server.on('connection', (client) => connectThrough(client, realUrl, lie));
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hasEnded: () => false,
    stop: () =>
      new Promise((done) => {
        for (const client of server.clients) client.terminate();
        server.close(() => done());
      }),
  };
}

function connectThrough(client: WebSocket, realUrl: string, lie: Lie): void {
  const real = new WebSocket(realUrl, { perMessageDeflate: false, maxPayload: MAX_BYTES });
  const early: (() => void)[] = [];
  client.on('error', () => {});
  real.on('error', () => {});
  client.on('message', (data, isBinary) => {
    const pass = () => real.send(data, { binary: isBinary });
    if (real.readyState === WebSocket.OPEN) pass();
    else early.push(pass);
  });
  real.on('open', () => {
    for (const pass of early) pass();
  });
  real.on('message', (data) => {
    const said = lie(JSON.parse(String(data)));
    if (said !== undefined) client.send(JSON.stringify(said));
  });
  client.on('close', () => real.terminate());
  real.on('close', () => client.terminate());
}
