// The connection breaks in the middle of a command. The command does not notice, and neither does its reader.
import { connect, createServer, type Socket } from 'node:net';
import { ExecServerClient } from '@codex/exec-client';

const server = new URL(process.argv[2] ?? 'ws://127.0.0.1:7777');

// A relay that can be cut stands in for a bad network.
const sockets = new Set<Socket>();
const relay = createServer((near) => {
  const far = connect(Number(server.port), server.hostname);
  for (const socket of [near, far]) {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  }
  near.pipe(far).pipe(near);
});
await new Promise<void>((listening) => relay.listen(0, '127.0.0.1', listening));
const address = relay.address();
const port = typeof address === 'object' && address !== null ? address.port : 0;

const client = await ExecServerClient.connect(`ws://127.0.0.1:${port}`, {
  onEvent: ({ type }) => console.log(type),
});
const counting = await client.spawn('for i in $(seq 1 20); do echo $i; sleep 0.02; done');
for await (const line of counting.stdout.lines()) {
  if (line === '5') for (const socket of sockets) socket.destroy();
}
const { stdout } = await counting.result();
console.log(stdout.lines.length, 'lines, missing', stdout.omittedBytes);

await client.close();
relay.close();
