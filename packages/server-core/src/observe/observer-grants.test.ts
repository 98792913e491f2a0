// Generated over the method table: what an observer is not granted, it cannot call, whatever it sends along.
import { type Grant, METHODS } from '@codex/exec-protocol';
import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { describe, expect, it } from 'vitest';
import { ExecServer } from '../exec-server.js';
import { ALL_GRANTS } from './access.js';

const REQUESTS = Object.entries(METHODS).flatMap(([method, info]) =>
  info.kind === 'request' ? [{ method, grant: info.grant, changes: 'changes' in info }] : [],
);

async function observer(server: ExecServer, grants: readonly Grant[]): Promise<RpcPeer> {
  const [theirs, ours] = createInMemoryChannelPair();
  server.accept(theirs, { identity: 'me', grants });
  const peer = new RpcPeer(ours, { onRequest: () => null, onNotification: () => undefined });
  await peer.call('initialize', { clientName: 'test', role: 'observer' });
  peer.notify('initialized', {});
  return peer;
}

async function codeOf(call: Promise<unknown>): Promise<number | undefined> {
  return call.then(
    () => undefined,
    (error: { code: number }) => error.code,
  );
}

describe('an observer', () => {
  it('cannot call any method that changes something without its grant', async () => {
    const server = new ExecServer();
    const peer = await observer(server, ['observe', 'denials', 'files']);
    const changing = REQUESTS.filter(({ changes }) => changes);
    expect(changing.length).toBeGreaterThan(15);
    for (const { method } of changing) {
      for (const params of [undefined, {}, { session: 's', processId: 'p' }]) {
        expect([method, await codeOf(peer.call(method, params))]).toEqual([method, -32011]);
      }
    }
    await server.shutdown();
  });

  it.each(ALL_GRANTS.filter((grant) => grant !== 'own' && grant !== 'observe'))(
    'that is granted `observe` and `%s` can call what asks for these and nothing else',
    async (granted) => {
      const server = new ExecServer();
      const peer = await observer(server, ['observe', granted]);
      for (const { method, grant } of REQUESTS) {
        if (method === 'initialize') continue;
        const isRefused = (await codeOf(peer.call(method, undefined))) === -32011;
        expect([method, isRefused]).toEqual([method, !['anyone', 'observe', granted].includes(grant)]);
      }
      await server.shutdown();
    },
  );

  it('that owns nothing cannot open a session, and who owns cannot observe without saying so', async () => {
    const server = new ExecServer();
    const [theirs, ours] = createInMemoryChannelPair();
    server.accept(theirs, { identity: 'me', grants: ['observe'] });
    const peer = new RpcPeer(ours, { onRequest: () => null, onNotification: () => undefined });
    expect(await codeOf(peer.call('initialize', { clientName: 'x' }))).toBe(-32011);
    const owner = new RpcPeer(server.connectInMemory(), {
      onRequest: () => null,
      onNotification: () => undefined,
    });
    await owner.call('initialize', { clientName: 'x' });
    owner.notify('initialized', {});
    for (const { method, grant } of REQUESTS) {
      if (grant === 'own' || grant === 'anyone') continue;
      const code = await codeOf(owner.call(method, { session: 's', processId: 'p' }));
      expect([method, code === -32011 || code === -32602]).toEqual([method, true]);
    }
    await server.shutdown();
  });

  it('without the grant to observe is none', async () => {
    const server = new ExecServer();
    const [theirs, ours] = createInMemoryChannelPair();
    server.accept(theirs, { identity: 'me', grants: [] });
    const peer = new RpcPeer(ours, { onRequest: () => null, onNotification: () => undefined });
    expect(await codeOf(peer.call('initialize', { clientName: 'x', role: 'observer' }))).toBe(-32011);
    await server.shutdown();
  });
});
