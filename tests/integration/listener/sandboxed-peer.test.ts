import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { capabilityTokenAuth } from '@codex/exec-listener/auth';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startListener } from './support/listener-fixture.js';

function program(port: number, header = ''): string {
  return [
    'import socket, sys',
    `s = socket.create_connection(("127.0.0.1", ${port}))`,
    `s.sendall(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n${header}\\r\\n")`,
    'sys.stdout.write(s.recv(4096).decode())',
  ].join('\n');
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile(command, args, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} failed (is it installed?): ${stderr || error.message}`));
    }),
  );
}

const BWRAP = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--'];

describe.runIf(process.platform === 'linux')('a command inside a sandbox with network access', () => {
  it('cannot use the server', async () => {
    const { port, descriptions } = await startListener();
    const answer = await run('bwrap', [...BWRAP, 'python3', '-c', program(port)]);
    expect(answer).toMatch(/^HTTP\/1.1 403 .*from inside a sandbox/s);
    expect(descriptions).toEqual([]);
  });

  it('cannot use it when only its privileges are cut, as under Landlock', async () => {
    const { port } = await startListener();
    const answer = await run('setpriv', ['--no-new-privs', 'python3', '-c', program(port)]);
    expect(answer).toMatch(/^HTTP\/1.1 403 /);
  });

  it('does not keep clients outside of it from connecting', async () => {
    const { url, port } = await startListener();
    const sleeper: ChildProcess = spawn('bwrap', [...BWRAP, 'sleep', '30'], { stdio: 'ignore' });
    onTestFinished(() => void sleeper.kill('SIGKILL'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    (await connectWebSocket(url)).close();
    expect(await run('python3', ['-c', program(port)])).toMatch(/^HTTP\/1.1 101 /);
  });

  it('is let in with a token', async () => {
    const { port } = await startListener({ auth: capabilityTokenAuth({ token: 'given on purpose' }) });
    const header = 'Authorization: Bearer given on purpose\\r\\n';
    expect(await run('bwrap', [...BWRAP, 'python3', '-c', program(port, header)])).toMatch(/^HTTP\/1.1 101 /);
  });
});
