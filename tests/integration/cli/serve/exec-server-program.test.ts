import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { ExecServerProgram, openWebSocket } from '../support/exec-server-program.js';

const LISTEN = ['exec-server', '--listen', 'ws://127.0.0.1:0'];

describe('exec-server serve', () => {
  it('prints its address as the one line on stdout, and two hints on stderr', async () => {
    await using server = new ExecServerProgram(LISTEN);
    expect(await server.url()).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    await server.stderrIncludes('Try it');
    expect(server.stdout.split('\n')).toHaveLength(2);
    expect(server.stderr.trim().split('\n')).toHaveLength(2);
  });

  it('listens on a free loopback port without flags, on IPv6 when asked', async () => {
    await using plain = new ExecServerProgram(['exec-server', '--quiet']);
    expect(await plain.url()).toMatch(/^ws:\/\/127\.0\.0\.1:\d+$/);
    await using six = new ExecServerProgram(['exec-server', '--quiet', '--listen', 'ws://[::1]:0']);
    const url = await six.url();
    expect(url).toMatch(/^ws:\/\/\[::1\]:\d+$/);
    expect(await openWebSocket(url)).toBeInstanceOf(WebSocket);
    expect(six.stderr).toBe('');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends on %s with exit code 0 and closes connections with 1001',
    async (signal) => {
      await using server = new ExecServerProgram(LISTEN);
      const socket = await openWebSocket(await server.url());
      if (!(socket instanceof WebSocket)) throw new Error('not connected');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      server.child.kill(signal);
      expect(await closed).toBe(1001);
      expect(await server.exited).toEqual({ code: 0, signal: null });
    },
  );

  it('answers what it has read when its input ends at once', async () => {
    await using server = new ExecServerProgram(['exec-server', '--listen', 'stdio']);
    const start = { processId: 'p', argv: ['/bin/echo', 'hi'], cwd: '/', env: {}, tty: false };
    const messages = [
      { id: 1, method: 'initialize', params: { clientName: 't' } },
      { method: 'initialized', params: {} },
      { id: 2, method: 'fs/getMetadata', params: { path: 'file:///etc/passwd' } },
      { id: 3, method: 'process/start', params: start },
      { id: 4, method: 'process/read', params: { processId: 'p', waitMs: 5000 } },
      { id: 5, method: 'fs/readDirectory', params: { path: 'file:///etc' } },
    ];
    server.child.stdin?.end(messages.map((message) => JSON.stringify(message)).join('\n'));
    expect(await server.exited).toEqual({ code: 0, signal: null });
    const replies = server.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: number; result?: { chunks?: { chunk: string }[] } });
    const ids = replies.flatMap(({ id, result }) => (id === undefined || result === undefined ? [] : [id]));
    expect(ids.sort()).toEqual([1, 2, 3, 4, 5]);
    const [chunk] = replies.find(({ id }) => id === 4)?.result?.chunks ?? [];
    expect(Buffer.from(chunk?.chunk ?? '', 'base64').toString()).toBe('hi\n');
  });

  it('skips what is too long on stdio, and answers for it', async () => {
    await using server = new ExecServerProgram(['exec-server', '--listen', 'stdio']);
    const piece = Buffer.alloc(1024 * 1024, 'a');
    for (let count = 0; count < 70; count += 1) server.child.stdin?.write(piece);
    server.child.stdin?.end('\n{"id":1,"method":"initialize","params":{"clientName":"t"}}\n');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    const [first, second] = server.stdout.trimEnd().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({
      id: -1,
      error: { code: -32600, message: expect.stringContaining('line longer than 67108864 bytes') },
    });
    expect(JSON.parse(second ?? '')).toMatchObject({ id: 1, result: { sessionId: expect.any(String) } });
  });

  it('says why it ends at bytes on stdio that are not UTF-8', async () => {
    await using server = new ExecServerProgram(['exec-server', '--listen', 'stdio']);
    server.child.stdin?.write(Buffer.from([0x22, 0xff, 0x22, 0x0a]));
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.stderr).toBe('Error: line is not valid UTF-8\n');
  });

  it('serves on stdio and ends with 0 at the end of input', async () => {
    await using server = new ExecServerProgram(['exec-server', '--listen', 'stdio']);
    server.child.stdin?.write('{"id":1,"method":"initialize","params":{"clientName":"t"}}\nnot json\n\r\n');
    while (server.stdout.split('\n').length < 3)
      await new Promise((resolve) => server.child.stdout?.once('data', resolve));
    const replies = server.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
    expect(replies.find(({ id }) => id === 1)).toMatchObject({ result: { sessionId: expect.any(String) } });
    expect(replies.find(({ id }) => id === -1)).toMatchObject({
      error: {
        code: -32600,
        message: expect.stringContaining('failed to parse JSON-RPC message from exec-server stdio: '),
      },
    });
    server.child.stdin?.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(server.stderr).toBe('');
  });

  it.each([
    [
      ['--listen', 'ws://localhost:0'],
      'invalid websocket --listen URL `ws://localhost:0`; expected `ws://IP:PORT`',
    ],
    [['--listen', 'http://x'], 'unsupported --listen URL `http://x`; expected `ws://IP:PORT` or `stdio`'],
    [['--ws-token-file', '/x'], 'websocket auth flags require `--ws-auth capability-token`'],
    [['--listen', 'ws://0.0.0.0:0'], 'refusing to listen on 0.0.0.0 without authentication'],
    [['--tls-cert', '/x'], '`--tls-cert` and `--tls-key` go together'],
    [['--tls-cert', '/no/cert', '--tls-key', '/no/key'], '`--tls-cert`: ENOENT'],
    [
      ['--listen', 'stdio', '--ws-auth', 'capability-token', '--ws-token-sha256', 'a'.repeat(64)],
      'not stdio',
    ],
  ])('says what is wrong with %j and ends with 1', async (args, sentence) => {
    await using server = new ExecServerProgram(['exec-server', ...args]);
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.stderr).toContain(`Error: `);
    expect(server.stderr).toContain(sentence);
    expect(server.stderr.trim().split('\n')).toHaveLength(1);
    expect(server.stdout).toBe('');
  });

  it.each([
    [['exec-server', '--ws-auth', 'password'], 'Allowed choices are capability-token, signed-bearer-token'],
    [['exec-server', '--max-sessions', 'many'], 'expected a whole number'],
    [['exec-server', '--no-such-flag'], "unknown option '--no-such-flag'"],
    [['no-such-command'], "unknown command 'no-such-command'"],
  ])('calls %j an error of use and ends with 2', async (args, sentence) => {
    await using program = new ExecServerProgram(args);
    expect(await program.exited).toEqual({ code: 2, signal: null });
    expect(program.stderr).toContain(sentence);
  });

  it('says so when the port is taken', async () => {
    await using first = new ExecServerProgram(LISTEN);
    const url = await first.url();
    await using second = new ExecServerProgram(['exec-server', '--listen', url]);
    expect(await second.exited).toMatchObject({ code: 1 });
    expect(second.stderr).toContain(`cannot listen on ${url.slice('ws://'.length)}`);
  });

  it('logs connections at level info, as json when asked', async () => {
    await using server = new ExecServerProgram([
      ...LISTEN,
      '--quiet',
      '--log-level',
      'info',
      '--log-format',
      'json',
    ]);
    const socket = await openWebSocket(await server.url());
    if (socket instanceof WebSocket) socket.close();
    await server.stderrIncludes('client disconnected');
    const lines = server.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { message: string });
    expect(lines.map(({ message }) => message)).toEqual(['client connected', 'client disconnected']);
  });

  it('lives on when nobody reads its log any more', async () => {
    await using server = new ExecServerProgram(LISTEN);
    const url = await server.url();
    server.child.stderr?.destroy();
    server.child.stdout?.destroy();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const refused = await openWebSocket(url, { origin: 'http://example.org' });
      expect(refused).toMatchObject({ status: 403 });
    }
    expect(await openWebSocket(url)).toBeInstanceOf(WebSocket);
  });

  it('keeps a limit that was given by flag', async () => {
    await using server = new ExecServerProgram([...LISTEN, '--max-connections', '1']);
    const url = await server.url();
    expect(await openWebSocket(url)).toBeInstanceOf(WebSocket);
    expect(await openWebSocket(url)).toEqual({ status: 503, body: 'too many connections (limit 1)' });
  });

  it('prints the version of the package', async () => {
    const manifest = new URL('../../../../apps/codex/package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    await using program = new ExecServerProgram(['--version']);
    expect(await program.exited).toMatchObject({ code: 0 });
    expect(program.stdout).toBe(`${version}\n`);
  });
});
