// What observers ask for takes a share of the server's time, also where the answer is not made in the turn of the request.
import { setTimeout as delay } from 'node:timers/promises';
import { ExecServerClient } from '@codex/exec-client';
import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { ExecServer } from '@codex/exec-server-core';
import { expect, it } from 'vitest';

const FLOOD = 300;
const PINGS = 20;

/** How much longer an owner waits for answers while an observer asks for the same a hundred times over, in what one of these takes. */
async function waitOf(call: (observer: RpcPeer, target: object) => Promise<unknown>): Promise<number> {
  const server = new ExecServer();
  const join = () => {
    const [theirs, ours] = createInMemoryChannelPair();
    server.accept(theirs, { identity: 'x' });
    return ours;
  };
  const open = async (hello: object): Promise<RpcPeer> => {
    const peer = new RpcPeer(join(), { onRequest: () => null, onNotification: () => undefined });
    await peer.call('initialize', { clientName: 'x', ...hello });
    peer.notify('initialized', {});
    return peer;
  };
  const owner = await ExecServerClient.connect({ channel: join() }, { clientName: 'owner' });
  const process_ = await owner.spawn(
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 60 & done; echo up; wait',
  );
  await process_.waitFor('up');
  const other = await open({});
  const observer = await open({ role: 'observer' });
  const { sessions } = (await observer.call('sessions/list', null)) as {
    sessions: { session: string; processes: number }[];
  };
  const session = sessions.find(({ processes }) => processes > 0)?.session;
  const ask = () => call(observer, { session, processId: process_.id });
  const times: number[] = [];
  for (let index = 0; index < 4; index++) {
    const begin = performance.now();
    await ask();
    times.push(performance.now() - begin);
    // What was free is free again.
    await delay(200);
  }
  const flood = Array.from({ length: FLOOD }, () => ask().catch(() => undefined));
  let waited = 0;
  for (let index = 0; index < PINGS; index++) {
    const begin = performance.now();
    await other.call('environment/info', null);
    waited += performance.now() - begin;
    await delay(20);
  }
  observer.close();
  other.close();
  await Promise.all(flood);
  await process_.terminate();
  await owner.close();
  await server.shutdown();
  return waited / Math.min(...times);
}

const entries = Array.from({ length: 1000 }, (_, index) => ({
  path: { type: 'path', path: `/some/folder/of/a/project/${index}` },
  access: index % 2 === 0 ? 'read' : 'write',
}));
const whatIf = {
  type: 'managed',
  file_system: { type: 'restricted', entries },
  network: 'restricted',
};

it('an owner hardly waits for policies that are explained, however many are asked for', async () => {
  const waited = await waitOf((peer, target) =>
    peer.call('sandbox/explain', { ...target, path: '/etc/x', whatIf }),
  );
  expect(waited).toBeLessThan(FLOOD / 12);
});

it('an owner hardly waits for trees that are looked at, however many are asked for', async () => {
  const waited = await waitOf((peer, target) => peer.call('observe/tree', target));
  expect(waited).toBeLessThan(FLOOD / 12);
});
