// A listener on its own, so that tests can run it as another user: prints its port, then a line for each connection.
import { WebSocketListener } from '@codex/exec-listener';

const listener = await WebSocketListener.listen({
  host: '127.0.0.1',
  port: 0,
  onChannel: (channel, { identity }) => {
    process.stdout.write(`admitted ${identity}\n`);
    channel.start({ message: () => {}, drained: () => {}, closed: () => {} });
  },
  onRefused: ({ status }) => void process.stdout.write(`refused ${status}\n`),
});
process.stdout.write(`${new URL(listener.url).port}\n`);
// Its parent is gone, or wants it gone.
process.stdin.resume().once('end', () => void listener.close(100).then(() => process.exit(0)));
