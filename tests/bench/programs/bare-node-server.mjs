// The least a Node server can do: `ws` alone. It answers a message with its id, after an fs.stat when it names a path.
import { stat } from 'node:fs/promises';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
server.on('connection', (socket) => {
  socket.on('message', async (data) => {
    const { id, params } = JSON.parse(String(data));
    const result = params?.path === undefined ? {} : { size: (await stat(params.path)).size };
    socket.send(JSON.stringify({ id, result }));
  });
});
server.on('listening', () => console.log(`ws://127.0.0.1:${server.address().port}`));
