// The least that sends a command's output: `ws` alone. Each block of the pipe is a message as it is, or base64 in JSON.
import { spawn } from 'node:child_process';
import { WebSocketServer } from 'ws';

const MOST_WAITING_BYTES = 1024 * 1024;

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', (request) => {
    const { argv, isBinary } = JSON.parse(String(request));
    const [command, ...args] = argv;
    const { stdout } = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    stdout.on('data', (block) => {
      const message = isBinary ? block : JSON.stringify({ chunk: block.toString('base64') });
      socket.send(message, () => {
        if (socket.bufferedAmount < MOST_WAITING_BYTES / 2) stdout.resume();
      });
      if (socket.bufferedAmount > MOST_WAITING_BYTES) stdout.pause();
    });
    stdout.on('close', () => socket.send('{"isOver":true}'));
  });
});
server.on('listening', () => console.log(`ws://127.0.0.1:${server.address().port}`));
