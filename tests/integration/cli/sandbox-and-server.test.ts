// The server that a sandboxed command reaches need not be the one that started it.
import { describe, expect, it } from 'vitest';
import { ExecServerProgram, openWebSocket } from './support/exec-server-program.js';

const connect = (port: string): string => `import socket
s = socket.create_connection(("127.0.0.1", ${port}))
s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
print(s.recv(4096).decode())`;

describe.runIf(process.platform === 'linux')('a command of `sandbox --network enabled`', () => {
  it('is refused by a server that has no sandbox of its own', async () => {
    await using server = new ExecServerProgram(['exec-server', '--quiet', '--listen', 'ws://127.0.0.1:0']);
    const url = await server.url();
    const args = ['sandbox', '--network', 'enabled', '--', 'python3', '-c', connect(new URL(url).port)];
    await using sandboxed = new ExecServerProgram(args);
    await sandboxed.exited;
    expect(`${sandboxed.stdout}${sandboxed.stderr}`).toMatch(
      /^HTTP\/1.1 403 .*from inside a sandbox are refused/s,
    );
    const outside = await openWebSocket(url);
    expect(outside).toHaveProperty('readyState');
    if ('close' in outside) outside.close();
  });
});
