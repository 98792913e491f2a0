// What the server answers to HTTP requests, upgrades included.
import assert from 'node:assert/strict';
import { httpRequest, type RequestLine, UPGRADE_HEADERS, upgradeRequest } from '../../client/frame-bytes.js';
import { type HttpHead, RawSocket } from '../../client/raw-socket.js';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';

verifies('transport.http.readyz', async (t) => {
  for (const method of ['GET', 'HEAD']) {
    const { socket, head } = await ask(t, { method, path: '/readyz', headers: ['Connection: close'] });
    assert.equal(head.status, 200);
    assert.equal((await socket.end()).length, 0, 'the body is empty');
  }
});

verifies('transport.http.readyz-method', async (t) => {
  const { head } = await ask(t, { method: 'POST', path: '/readyz', headers: ['Content-Length: 0'] });
  assert.equal(head.status, 405);
});

verifies('transport.http.healthz', async (t) => {
  assert.equal((await ask(t, { path: '/healthz' })).head.status, 200);
});

verifies('transport.http.other-path', async (t) => {
  for (const path of ['/other', '/readyz/', '/..', '/index.html', '/exec']) {
    assert.equal((await ask(t, { path })).head.status, 404, path);
    assert.equal((await upgrade(t, { path })).head.status, 404, `upgrade on ${path}`);
  }
});

verifies('transport.http.plain-root', async (t) => {
  const { head } = await ask(t, { path: '/' });
  assert.ok(head.status >= 400 && head.status < 500, `status ${head.status}`);
});

verifies('transport.http.query-ignored', async (t) => {
  assert.equal((await upgrade(t, { path: '/?a=b&c=%2F' })).head.status, 101);
});

verifies('transport.http.garbage', async (t) => {
  for (const bytes of [
    'garbage\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000',
    'GET\r\n\r\n',
    '\r\n'.repeat(20),
  ]) {
    const socket = await open(t);
    socket.write(bytes);
  }
  await (await t.open()).call('environment/status');
});

verifies('transport.upgrade.origin', async (t) => {
  for (const origin of [
    'https://evil.example',
    'null',
    '',
    new URL(t.url).origin,
    `http://${new URL(t.url).host}`,
  ]) {
    const { head } = await upgrade(t, { headers: [`Origin: ${origin}`] });
    assert.equal(head.status, 403, `Origin: ${origin}`);
  }
});

verifies('transport.http.readyz-origin', async (t) => {
  const { head } = await ask(t, { path: '/readyz', headers: ['Origin: https://evil.example'] });
  assert.equal(head.status, 403);
});

verifies('transport.upgrade.foreign-host', async (t) => {
  const { port } = new URL(t.url);
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
  ]) {
    const { head } = await upgrade(t, { host });
    assert.ok(head.status >= 400 && head.status < 500, `Host: ${host} got ${head.status}`);
  }
});

verifies('transport.upgrade.localhost', async (t) => {
  const { head } = await upgrade(t, { host: `localhost:${new URL(t.url).port}` });
  assert.equal(head.status, 101);
});

verifies('transport.upgrade.key-required', async (t) => {
  const headers = UPGRADE_HEADERS.filter((header) => !header.startsWith('Sec-WebSocket-Key'));
  assert.equal((await ask(t, { headers })).head.status, 400);
});

verifies('transport.upgrade.version', async (t) => {
  const headers = UPGRADE_HEADERS.map((header) => header.replace('Version: 13', 'Version: 7'));
  const { head } = await ask(t, { headers });
  assert.ok(head.status >= 400 && head.status < 500, `status ${head.status}`);
});

verifies('transport.upgrade.no-subprotocol', async (t) => {
  const { head } = await upgrade(t, { headers: ['Sec-WebSocket-Protocol: foo, bar'] });
  assert.equal(head.status, 101);
  assert.equal(head.headers.has('sec-websocket-protocol'), false);
});

verifies('transport.upgrade.no-compression', async (t) => {
  const { head } = await upgrade(t, {
    headers: ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'],
  });
  assert.equal(head.status, 101);
  assert.equal(head.headers.has('sec-websocket-extensions'), false);
});

interface Answer {
  readonly socket: RawSocket;
  readonly head: HttpHead;
}

async function ask(t: CheckContext, request: RequestLine): Promise<Answer> {
  const socket = await open(t);
  socket.write(httpRequest(t.url, request));
  return { socket, head: await socket.head() };
}

async function upgrade(t: CheckContext, request: RequestLine): Promise<Answer> {
  const socket = await open(t);
  socket.write(upgradeRequest(t.url, request));
  return { socket, head: await socket.head() };
}

async function open(t: CheckContext): Promise<RawSocket> {
  const socket = await RawSocket.open(t.url);
  t.defer(() => socket.destroy());
  return socket;
}
