// What a browser can do: offer protocols and send an Origin. It can set no header.

import { capabilityTokenAuth } from '@codex/exec-listener/auth';
import { offeredProtocols, WEB_SOCKET_PROTOCOL } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { httpExchange, nextMessage, startListener } from './support/listener-fixture.js';

const TOKEN = 'sekret-token-0123456789';
const ORIGIN = 'https://app.example';
const [, CARRIER = ''] = offeredProtocols(TOKEN);

async function guarded() {
  const refusals: string[] = [];
  const running = await startListener({
    auth: capabilityTokenAuth({ token: TOKEN }),
    allowOrigins: [ORIGIN],
    onRefused: (refusal) => refusals.push(JSON.stringify(refusal)),
  });
  const offer = (protocols: string, ...headers: string[]) =>
    httpExchange(running.port, {
      headers: [`Sec-WebSocket-Protocol: ${protocols}`, ...headers],
      upgrade: true,
    });
  return { ...running, refusals, offer };
}

describe('a token as a websocket protocol', () => {
  it('lets a page of a listed origin in, and is never repeated', async () => {
    const { url, descriptions, offer } = await guarded();
    const socket = new WebSocket(url, offeredProtocols(TOKEN), { origin: ORIGIN });
    onTestFinished(() => socket.terminate());
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    expect(socket.protocol).toBe(WEB_SOCKET_PROTOCOL);
    expect(descriptions).toMatchObject([{ identity: 'token' }]);
    socket.send('{"id":1,"method":"echo","params":1}');
    expect(await nextMessage(socket)).toBe('{"id":1,"result":1}');

    const { status, head } = await offer(`${CARRIER}, ${WEB_SOCKET_PROTOCOL}`, `Origin: ${ORIGIN}`);
    expect(status).toBe(101);
    expect(head).toContain(`Sec-WebSocket-Protocol: ${WEB_SOCKET_PROTOCOL}`);
    expect(head).not.toContain(CARRIER);
  });

  it('does not let a page of another origin in', async () => {
    const { offer } = await guarded();
    const { status } = await offer(offeredProtocols(TOKEN).join(', '), 'Origin: https://evil.example');
    expect(status).toBe(403);
  });

  it('may come in several header lines, among protocols that nobody knows', async () => {
    const { offer } = await guarded();
    const more = [`Sec-WebSocket-Protocol: ${CARRIER}`, `Sec-WebSocket-Protocol: chat`];
    const { status, head } = await offer(WEB_SOCKET_PROTOCOL, ...more);
    expect(status).toBe(101);
    expect(head.match(/sec-websocket-protocol/gi)).toHaveLength(1);
  });

  const wrong = offeredProtocols('wrong')[1] ?? '';
  const flat = Array.from({ length: 300 }, (_, index) => `p${index}`).join(', ');
  it.each([
    ['no token', WEB_SOCKET_PROTOCOL, /^401 missing websocket bearer token/],
    ['a wrong one', `${WEB_SOCKET_PROTOCOL}, ${wrong}`, /^401 invalid websocket bearer token/],
    ['an empty one', `${WEB_SOCKET_PROTOCOL}, codex.bearer.`, /^401 malformed/],
    ['padding', `${WEB_SOCKET_PROTOCOL}, ${CARRIER}=`, /^401 malformed/],
    ['the bare token', `${WEB_SOCKET_PROTOCOL}, codex.bearer.${TOKEN}`, /^401/],
    ['two tokens, one right', `${WEB_SOCKET_PROTOCOL}, ${CARRIER}, ${wrong}`, /^401 more than one/],
    ['two tokens, the other right', `${WEB_SOCKET_PROTOCOL}, ${wrong}, ${CARRIER}`, /^401 more than one/],
    ['the same twice', `${WEB_SOCKET_PROTOCOL}, ${CARRIER}, ${CARRIER}`, /^401 more than one/],
    ['the token alone', CARRIER, /^401 .*`codex\.exec-server\.v1`/],
    ['many names', `${flat}, ${wrong}`, /^401/],
    ['no names', ', ,,', /^401/],
    ['another spelling of the prefix', `${WEB_SOCKET_PROTOCOL}, ${CARRIER.toUpperCase()}`, /^401 missing/],
  ])('is refused: %s', async (_what, protocols, expected) => {
    const { offer, refusals, descriptions } = await guarded();
    const { status, head, body } = await offer(protocols, `Origin: ${ORIGIN}`);
    expect(`${status} ${body}`).toMatch(expected);
    expect(`${head}${body}${refusals.join()}`).not.toContain(CARRIER);
    expect(`${head}${body}${refusals.join()}`).not.toContain(TOKEN);
    expect(refusals).toHaveLength(1);
    expect(descriptions).toEqual([]);
  });

  it('is refused beside an Authorization header, whichever of them is right', async () => {
    const { offer } = await guarded();
    for (const header of [TOKEN, 'wrong']) {
      const reply = await offer(offeredProtocols(TOKEN).join(), `Authorization: Bearer ${header}`);
      expect(reply).toMatchObject({ status: 401, body: expect.stringMatching(/^more than one/) });
    }
  });

  it('cannot be a cookie or stand in the query', async () => {
    const { port } = await guarded();
    const headers = [`Cookie: ${CARRIER}; token=${TOKEN}`, `Sec-WebSocket-Protocol: ${WEB_SOCKET_PROTOCOL}`];
    const line = `GET /?token=${TOKEN}&${CARRIER} HTTP/1.1`;
    expect((await httpExchange(port, { line, headers, upgrade: true })).status).toBe(401);
  });

  it('changes nothing for a server without authentication', async () => {
    const { port } = await startListener();
    const upgrade = (protocols: string) =>
      httpExchange(port, { headers: [`Sec-WebSocket-Protocol: ${protocols}`], upgrade: true });
    expect((await upgrade(`chat, ${WEB_SOCKET_PROTOCOL}`)).head).toContain(WEB_SOCKET_PROTOCOL);
    const unknown = await upgrade(`chat, ${CARRIER}`);
    expect(unknown.status).toBe(101);
    expect(unknown.head).not.toMatch(/sec-websocket-protocol/i);
    expect((await upgrade('chat, chat')).status).toBe(400);
  });
});
