import { createHmac } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { ExecServerProgram, openWebSocket } from '../support/exec-server-program.js';

const folder = mkdtempSync(join(tmpdir(), 'exec-auth-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOKEN = 'correct-horse-battery-staple';
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, `${TOKEN}\n`, { mode: 0o600 });

const SECRET = 'a shared secret of at least thirty-two bytes';
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, SECRET, { mode: 0o600 });

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

const inSeconds = (offset: number) => Math.floor(Date.now() / 1000) + offset;

describe('--ws-auth capability-token', () => {
  const args = ['exec-server', '--ws-auth', 'capability-token', '--ws-token-file', tokenFile];

  it('lets the right token in and no other', async () => {
    await using server = new ExecServerProgram(args);
    const url = await server.url();
    expect(await openWebSocket(url, bearer(TOKEN))).toBeInstanceOf(WebSocket);
    expect(await openWebSocket(url, bearer(`${TOKEN}x`))).toEqual({
      status: 401,
      body: 'invalid websocket bearer token',
    });
    expect(await openWebSocket(url)).toEqual({ status: 401, body: 'missing websocket bearer token' });
    expect(await openWebSocket(`${url}/?token=${TOKEN}`)).toMatchObject({ status: 401 });
    expect((await fetch(`${url.replace('ws', 'http')}/readyz`)).status).toBe(200);
  });

  it('never shows the token: not in a log, in /proc, or to a child', async () => {
    await using server = new ExecServerProgram([...args, '--log-level', 'debug']);
    const url = await server.url();
    await openWebSocket(url, bearer('wrong-token-value'));
    const socket = await openWebSocket(url, bearer(TOKEN));
    if (!(socket instanceof WebSocket)) throw new Error('not connected');
    const output = await childOutput(
      socket,
      `tr '\\0' '\\n' </proc/$PPID/environ; env; cat /proc/$PPID/cmdline`,
    );
    const proc = `/proc/${server.child.pid}`;
    const ofServer = readFileSync(`${proc}/environ`, 'utf8') + readFileSync(`${proc}/cmdline`, 'utf8');
    for (const text of [output, ofServer, server.stderr, server.stdout]) {
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain('wrong-token-value');
    }
    expect(readdirSync(`${proc}/fd`).length).toBeGreaterThan(0);
  });
});

describe('--ws-auth signed-bearer-token', () => {
  const args = ['exec-server', '--ws-auth', 'signed-bearer-token', '--ws-shared-secret-file', secretFile];

  it('checks signature, time, issuer and audience', async () => {
    await using server = new ExecServerProgram([...args, '--ws-issuer', 'me', '--ws-audience', 'exec']);
    const url = await server.url();
    const good = { exp: inSeconds(60), iss: 'me', aud: ['exec', 'other'] };
    expect(await openWebSocket(url, bearer(jwt(good)))).toBeInstanceOf(WebSocket);
    const refusals: [object, string][] = [
      [{ ...good, exp: inSeconds(-60) }, 'expired websocket jwt'],
      [{ ...good, nbf: inSeconds(60) }, 'websocket jwt is not valid yet'],
      [{ ...good, iss: 'you' }, 'websocket jwt issuer mismatch'],
      [{ ...good, aud: 'other' }, 'websocket jwt audience mismatch'],
      [{ iss: 'me', aud: 'exec' }, 'invalid websocket jwt'],
    ];
    for (const [claims, body] of refusals) {
      expect(await openWebSocket(url, bearer(jwt(claims)))).toEqual({ status: 401, body });
    }
    expect(await openWebSocket(url, bearer(`${jwt(good).slice(0, -2)}AA`))).toEqual({
      status: 401,
      body: 'invalid websocket jwt',
    });
  });
});

/** Runs a shell command through the socket and returns all it printed. */
function childOutput(socket: WebSocket, script: string): Promise<string> {
  const send = (message: object) => socket.send(JSON.stringify(message));
  let output = '';
  return new Promise((resolve, reject) => {
    socket.on('message', (data) => {
      const { error, method, params } = JSON.parse(String(data));
      if (error !== undefined) reject(new Error(JSON.stringify(error)));
      if (method === 'process/output') output += Buffer.from(params.chunk, 'base64').toString();
      if (method === 'process/closed') resolve(output);
    });
    send({ id: 1, method: 'initialize', params: { clientName: 'test' } });
    send({ method: 'initialized' });
    const envPolicy = { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
    const params = {
      processId: 'p',
      argv: ['/bin/sh', '-c', script],
      cwd: '/',
      env: {},
      envPolicy,
      tty: false,
    };
    send({ id: 2, method: 'process/start', params });
  });
}
