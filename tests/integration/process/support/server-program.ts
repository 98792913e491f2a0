// A server on its own, for tests that kill it or look at its memory: prints its address, ends on SIGTERM. Options are
// the server's, as JSON in the first argument.
import { WebSocketListener } from '@codex/exec-listener';
import { ExecServer, type ExecServerOptions } from '@codex/exec-server-core';

const options = JSON.parse(process.argv[2] ?? '{}') as ExecServerOptions;
const server = new ExecServer(options);
const listener = await WebSocketListener.listen({
  host: '127.0.0.1',
  port: 0,
  onChannel: (channel, { identity }) => void server.accept(channel, { identity }),
});
process.once('SIGTERM', () => {
  void server
    .shutdown()
    .then(() => listener.close(100))
    .then(() => process.exit(0));
});
process.on('SIGUSR2', () => globalThis.gc?.());
process.stdout.write(`${listener.url}\n`);
