// Requests that are longer than what a server parses: their payload travels, anything else is refused under its own id.
import { RpcPeer } from '@codex/exec-rpc';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { expect, it } from 'vitest';
import { serve } from '../http/support/http-fixture.js';
import { observedServer } from '../observe/support/observed-server.js';

const MIB = 1024 * 1024;

async function client(url: string): Promise<RpcPeer> {
  const peer = new RpcPeer(await connectWebSocket(url), { onRequest: () => {}, onNotification: () => {} });
  await peer.call('initialize', { clientName: 'long' });
  peer.notify('initialized', {});
  return peer;
}

it('a body of 6 MB is sent, one that is no base64 is not', async () => {
  await using server = await observedServer();
  const body = 'a payload'.repeat(700_000);
  let seen = '';
  const { origin } = await serve((_, response, arrived) => {
    seen = arrived;
    response.end('made');
  });
  const peer = await client(server.url);
  const post = (bodyBase64: string) =>
    peer.call('http/request', { requestId: 'r', method: 'POST', url: origin, bodyBase64 });
  const text = Buffer.from(body).toString('base64');
  expect(await post(text)).toMatchObject({ status: 200 });
  expect(seen === body).toBe(true);
  await expect(post(`${text.slice(4)}!AAA`)).rejects.toMatchObject({
    code: -32600,
    message:
      'bodyBase64 is not strict base64, and a message may have 4194304 bytes besides a payload of strict base64',
  });
  peer.close();
});

it('a long header is refused before it is looked at, and the connection lives', async () => {
  await using server = await observedServer();
  const peer = await client(server.url);
  const headers = [{ name: 'x', value: 'あ'.repeat(2 * MIB) }];
  const request = peer.call('http/request', {
    requestId: 'r',
    method: 'GET',
    url: 'http://127.0.0.1:1/',
    headers,
  });
  await expect(request).rejects.toMatchObject({
    code: -32600,
    message: 'a message may have 4194304 bytes besides a payload of strict base64',
  });
  expect(await peer.call('environment/status', null)).toEqual({ status: 'ready' });
  peer.close();
});
