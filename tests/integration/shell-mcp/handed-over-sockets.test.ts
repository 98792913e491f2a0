// A program that leaves the sandbox takes descriptors along. A connection to an exec-server must not be one of them: that
// server lets in whoever holds its connection outside of every sandbox.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ShellServer } from './support/shell-server.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));
const RULES = 'prefix_rule(["sleep"], "allow")';

let shell: ShellServer;
let other: ChildProcess;
let port = '';

beforeAll(async () => {
  shell = await ShellServer.start({ rules: RULES });
  other = spawn(process.execPath, [PROGRAM, '--listen', 'ws://127.0.0.1:0'], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const address: string = await new Promise((resolve) =>
    createInterface({ input: other.stdout ?? process.stdin }).once('line', resolve),
  );
  port = new URL(address).port;
});
afterAll(async () => {
  other.kill('SIGKILL');
  await shell[Symbol.asyncDispose]();
});

const upgrade = [
  'GET / HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
]
  .map((line) => `${line}\\r\\n`)
  .join('');

const network = (): Record<string, unknown> => ({
  'codex/sandbox-state-meta': {
    sandboxPolicy: { type: 'workspace-write', network_access: true },
    sandboxCwd: shell.workspace,
  },
});

async function stdoutOf(command: string): Promise<string> {
  const { result, error } = await shell.call({ command, timeout_ms: 60_000 }, network());
  expect(error).toBeUndefined();
  const { stdout = '', stderr = '' } = result?.structuredContent ?? {};
  return stdout + stderr;
}

it('a connection does not go with a program that leaves', async () => {
  const script = [
    `exec 7<>/dev/tcp/127.0.0.1/${port}`,
    'sleep 3 &',
    'read -t 0.5 nothing',
    `printf '${upgrade}\\r\\n' >&7`,
    'read -t 3 -r status <&7; echo "$status"',
  ];
  expect(await stdoutOf(script.join('\n'))).toContain('HTTP/1.1 403');
});

it('a program whose input would be a connection does not leave, and says why', async () => {
  expect(await stdoutOf(`sleep 0 < /dev/tcp/127.0.0.1/${port}; echo $?`)).toMatch(
    /cannot run \/.*sleep outside of the sandbox: a connection of the sandbox is its input or output\n/,
  );
});

/** Sends each connection to the broker many times, as a stream and beside one, while the server looks for its holder. */
const throwing = `
import array, os, socket, sys, threading
broker = socket.socket(fileno=os.dup(int(os.environ['CODEX_ESCALATE_SOCKET'])))
def throw(connection, stop):
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [connection.fileno()] * 60))]
    stream, other = socket.socketpair()
    try: socket.socket.sendmsg(broker, [b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [other.fileno()]))])
    except OSError: pass
    while not stop.is_set():
        for way in (broker, stream):
            try: way.sendmsg([b'x'], rights, socket.MSG_DONTWAIT)
            except OSError: pass
answers = set()
for _ in range(int(sys.argv[2])):
    connection = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
    stop = threading.Event()
    thread = threading.Thread(target=throw, args=(connection, stop))
    thread.start()
    connection.sendall(b"${upgrade}\\r\\n")
    answers.add(connection.recv(100).split(b'\\r')[0].decode())
    stop.set()
    thread.join()
print(answers)
`;

it('a connection that is thrown at the broker is not taken for its own', async () => {
  writeFileSync(`${shell.workspace}/throwing.py`, throwing);
  expect(await stdoutOf(`python3 throwing.py ${port} 25`)).toBe("{'HTTP/1.1 403 Forbidden'}\n");
});
