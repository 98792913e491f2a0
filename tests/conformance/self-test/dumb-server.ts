// Servers that know nothing of the protocol: whatever is asked, they give the same answer. No check may hold on them.
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { RunningServer, Target } from '../targets/target.js';

export type DumbAnswer = Readonly<Record<string, unknown>>;

/** `answer` is sent with the id of every message that has one. */
export function dumbTarget(name: string, answer: DumbAnswer): Target {
  return {
    name,
    // Everything, so that every check is run.
    features: new Set(),
    expected: [],
    start: () => serve(answer),
  };
}

async function serve(answer: DumbAnswer): Promise<RunningServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, maxPayload: 256 * 1024 * 1024 });
  await new Promise((done) => server.once('listening', done));
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const id = /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(String(data))?.[1] ?? '-1';
      socket.send(`{"id":${id},${JSON.stringify(answer).slice(1)}`);
    });
  });
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
