// The server that a sandboxed command reaches need not be the one that started it.
import { describe, expect, it } from 'vitest';
import { ExecServerProgram, openWebSocket } from './support/exec-server-program.js';

const connect = (port: string): string => `import socket
s = socket.create_connection(("127.0.0.1", ${port}))
s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n")
print(s.recv(4096).decode())`;

/** Which of the two addresses that `localhost` means can be listened on. */
const listen = (port: string): string => `import socket
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::1"), (socket.AF_INET6, "::")):
    for reuse in (0, 1):
        try:
            s = socket.socket(family)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, reuse)
            s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, reuse)
            if family == socket.AF_INET6: s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            s.bind((address, ${port}))
            s.listen()
            print("listens", address)
        except OSError as error:
            print("refused", error.errno)`;

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

  it('cannot stand where the name `localhost` leads to the server', async () => {
    await using server = new ExecServerProgram(['exec-server', '--quiet', '--listen', 'ws://127.0.0.1:0']);
    const { port } = new URL(await server.url());
    const args = ['sandbox', '--network', 'enabled', '--', 'python3', '-c', listen(port)];
    await using sandboxed = new ExecServerProgram(args);
    await sandboxed.exited;
    // EADDRINUSE, or EADDRNOTAVAIL and EAFNOSUPPORT where there is no IPv6.
    expect(sandboxed.stdout).toMatch(/^(?:refused (?:98|99|97)\n){8}$/);
  });
});
