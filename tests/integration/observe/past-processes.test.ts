// Who comes when a process is gone already still sees how it ended and what it wrote last; and nothing more than that.
import type { WatchEvent } from '@codex/exec-client';
import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { workspaceWrite } from '@codex/sandbox';
import { describe, expect, it } from 'vitest';
import { observedServer } from './support/observed-server.js';

// Sessions end as soon as their client has gone.
const SOON_OVER = { session: { sessionTtlMs: 20 } };
const KEPT = { ...SOON_OVER, observe: { maxPastProcesses: 3, pastOutputBytesPerProcess: 4096 } };

describe('a process that the server has let go of', () => {
  it('can be looked at by who comes later, when its session is over too', async () => {
    await using server = await observedServer(KEPT);
    const owner = await server.owner('gone');
    const script = 'for i in 1 2 3; do printf "%02999d\\n" $i; read go; done; exit 3';
    const talking = await owner.spawn(script, { stdin: 'pipe' });
    for (const digit of [1, 2, 3]) {
      // Each is a block of its own, because the owner has had the one before.
      await talking.waitFor(`0${digit}\n`);
      await talking.stdin.write('\n');
    }
    await talking.wait();
    await owner.close();
    const observer = await server.observer();
    await expect.poll(() => observer.sessions()).toEqual([]);
    const { processes } = await observer.processes();
    expect(processes).toHaveLength(1);
    const [{ session = '', process, past } = {}] = processes;
    expect(past).toMatchObject({ clientName: 'gone' });
    expect(process).toMatchObject({ exitCode: 3, state: 'closed', alive: false, sandboxType: 'none' });
    expect((await observer.processes(session)).processes).toHaveLength(1);
    const target = { session, processId: process?.processId ?? '' };
    const events: WatchEvent[] = [];
    for await (const event of await observer.watch(target)) events.push(event);
    const text = Buffer.concat(
      events.flatMap((one) => (one.type === 'output' ? [one.bytes] : [])),
    ).toString();
    const opened = await observer.read(target);
    // The block that reaches back beyond the 4096 bytes is kept whole.
    expect([text.length, opened.omitted]).toEqual([6000, { fromSeq: 1, toSeq: 1, bytes: 3000 }]);
    expect(text.endsWith('03\n')).toBe(true);
    expect(events.find(({ type }) => type === 'gap')).toMatchObject({ bytes: 3000 });
    expect(events.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 3 });
    expect(events.at(-1)).toMatchObject({ type: 'ended' });
    // To look at, and not to act on.
    await expect(observer.terminate(target)).rejects.toThrow('unknown session');
    await expect(observer.tree(target)).rejects.toThrow('unknown session');
    expect(await observer.explain(target)).toMatchObject({ restrictsFiles: false });
  });

  it('keeps its policy, so that its denial can be explained', async () => {
    await using server = await observedServer(KEPT);
    const owner = await server.owner();
    await owner.run('echo x > /etc/past-test', { cwd: '/tmp', sandbox: workspaceWrite() });
    await owner.close();
    const observer = await server.observer();
    await expect.poll(() => observer.sessions()).toEqual([]);
    const [{ session = '', process } = {}] = (await observer.processes()).processes;
    const explained = await observer.explain({ session, processId: process?.processId ?? '' });
    expect(explained).toMatchObject({
      restrictsFiles: true,
      denial: { reason: expect.any(String) },
      decision: { path: '/etc/past-test', write: false },
    });
  });

  it('makes room for newer ones, and is not kept at all where nobody asked for it', async () => {
    await using few = await observedServer(KEPT);
    await using none = await observedServer(SOON_OVER);
    for (const server of [few, none]) {
      const owner = await server.owner();
      for (let index = 0; index < 5; index++) await owner.run(['echo', String(index)]);
      await owner.close();
      const observer = await server.observer();
      await expect.poll(() => observer.sessions()).toEqual([]);
      const commands = (await observer.processes()).processes.map(({ process }) => process.argv[1]);
      expect(commands).toEqual(server === few ? ['2', '3', '4'] : []);
    }
  });

  it('is unknown to who may not see its session', async () => {
    await using server = await observedServer(KEPT);
    const owner = await server.owner();
    await owner.run(['echo', 'mine']);
    await owner.close();
    const observer = await server.observer();
    await expect.poll(() => observer.sessions()).toEqual([]);
    const [{ session = '', process } = {}] = (await observer.processes()).processes;
    const [theirs, ours] = createInMemoryChannelPair();
    server.server.accept(theirs, { identity: 'jwt:mallory' });
    const mallory = new RpcPeer(ours, { onRequest: () => null, onNotification: () => undefined });
    await mallory.call('initialize', { clientName: 'mallory', role: 'observer' });
    mallory.notify('initialized', {});
    expect(await mallory.call('observe/processes', {})).toEqual({ processes: [], omitted: 0 });
    const target = { session, processId: process?.processId };
    for (const [method, params] of [
      ['observe/read', target],
      ['observe/open', { ...target, watch: 'w' }],
      ['sandbox/explain', target],
      ['observe/processes', { session }],
    ] as const)
      await expect(mallory.call(method, params)).rejects.toMatchObject({
        code: -32600,
        message: expect.stringContaining('unknown session'),
      });
    mallory.close();
  });
});

describe('the tree of a process', () => {
  it('is what lives of it, with who started whom', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    const running = await owner.spawn('sh -c "sleep 599 & echo up; wait"');
    await running.waitFor('up');
    const observer = await server.observer();
    const session = await server.handleOf(observer, 'owner');
    const target = { session, processId: running.id };
    const { known, members, omitted } = await observer.tree(target);
    expect([known, omitted]).toEqual([true, 0]);
    const sleeper = members.find(({ argv }) => argv.join(' ') === 'sleep 599');
    expect(sleeper?.state).toBe('sleeping');
    expect(sleeper?.residentBytes).toBeGreaterThan(0);
    expect(members.some(({ pid }) => pid === sleeper?.parentPid)).toBe(true);
    await observer.terminate(target, { type: 'tree' });
    await expect.poll(async () => (await observer.tree(target)).members).toEqual([]);
  });
});
