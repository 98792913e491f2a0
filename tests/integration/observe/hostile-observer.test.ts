// Observers that do not behave: they see what is theirs to see, and are in nobody's way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ExecObserver, ExecServerClient } from '@codex/exec-client';
import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { ExecServer } from '@codex/exec-server-core';
import { describe, expect, it } from 'vitest';
import { observedServer } from './support/observed-server.js';

const observerProgram = fileURLToPath(new URL('./fixtures/silent-observer.ts', import.meta.url));
const floodProgram = fileURLToPath(new URL('./fixtures/flooding-observer.ts', import.meta.url));

describe('a hostile observer', () => {
  it('killed in the middle of `yes` leaves the owner its command', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    const process_ = await owner.spawn(['yes'], { capture: { maxBytes: 1024 } });
    const child = spawn(
      process.execPath,
      ['--conditions=@codex/source', '--import', 'tsx', observerProgram, server.url],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const observer = await server.observer();
    const left = async () => {
      const { events } = await observer.readJournal();
      return events.filter(({ kind }) => kind === 'observerLeft').length;
    };
    await expect.poll(left).toBe(1);
    expect(process_.state).toBe('running');
    const session = await server.handleOf(observer, 'owner');
    const before = (await observer.read({ session, processId: process_.id })).endSeq;
    await expect
      .poll(async () => (await observer.read({ session, processId: process_.id })).endSeq, {
        timeout: 20_000,
      })
      .toBeGreaterThan(before + 10);
    await process_.terminate();
  });

  it('sees nothing of another identity, not even that it exists', async () => {
    const server = new ExecServer();
    const connect = (identity: string) => {
      const [theirs, ours] = createInMemoryChannelPair();
      server.accept(theirs, { identity });
      return { channel: ours };
    };
    const owner = await ExecServerClient.connect(connect('jwt:alice'), { clientName: 'alice' });
    const process_ = await owner.spawn(['sleep', '60']);
    const alice = await ExecObserver.connect(connect('jwt:alice'));
    const mallory = await ExecObserver.connect(connect('jwt:mallory'));
    const [session] = await alice.sessions();
    expect(session?.clientName).toBe('alice');
    expect(await mallory.sessions()).toEqual([]);
    expect((await mallory.processes()).processes).toEqual([]);
    expect((await mallory.readJournal()).events).toEqual([]);
    const target = { session: session?.session ?? '', processId: process_.id };
    const unknown = { session: 's-doesnotexist', processId: process_.id };
    const refusals = await Promise.all(
      [target, unknown].map((one) => mallory.read(one).catch((error: Error) => error.message)),
    );
    expect(String(refusals[0]).replace(target.session, 'X')).toBe(
      String(refusals[1]).replace(unknown.session, 'X'),
    );
    await expect(mallory.terminate(target)).rejects.toThrow('unknown session');
    await expect(mallory.decide({ ...target, approval: 'a', decision: 'allow' })).rejects.toThrow(
      'unknown session',
    );
    expect(await alice.terminate(target)).toBe(true);
    await owner.close();
    await server.shutdown();
  });

  it('with the grants of others only does no more than these', async () => {
    const server = new ExecServer();
    const connect = (options: Parameters<ExecServer['accept']>[1]) => {
      const [theirs, ours] = createInMemoryChannelPair();
      server.accept(theirs, options);
      return { channel: ours };
    };
    const owner = await ExecServerClient.connect(connect({ identity: 'jwt:alice' }));
    const process_ = await owner.spawn(['cat'], { stdin: 'pipe' });
    const watcher = await ExecObserver.connect(
      connect({ identity: 'jwt:bob', grants: ['observe'], seesOthers: true }),
    );
    expect(watcher.grants).toEqual(['observe']);
    const [session] = await watcher.sessions();
    const target = { session: session?.session ?? '', processId: process_.id };
    expect((await watcher.read(target)).exited).toBe(false);
    for (const attempt of [
      () => watcher.terminate(target),
      () => watcher.signal(target, 'SIGKILL'),
      () => watcher.write(target, 'rm -rf\n'),
      () => watcher.resize(target, { rows: 1, cols: 1 }),
      () => watcher.explain(target),
      () => watcher.readFile(target, '/etc/passwd'),
      () => watcher.approvals(),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ details: { rpcCode: -32011 } });
    }
    expect(process_.state).toBe('running');
    await owner.close();
    await server.shutdown();
  });

  it('that asks without end gets its answers, and owners do not stand behind it in a line', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    await Promise.all(Array.from({ length: 40 }, (_, index) => owner.run(['echo', String(index)])));
    const children = ['observe/processes', 'journal/read'].map((method) =>
      spawn(
        process.execPath,
        ['--conditions=@codex/source', '--import', 'tsx', floodProgram, server.url, method],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      ),
    );
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    // A hundred requests of observers wait at any time; a command of the owner is not the hundred and first.
    expect((await owner.run(['echo', 'mine'])).stdout.text).toBe('mine\n');
    const person = await server.observer();
    const session = await server.handleOf(person, 'owner');
    const running = await owner.spawn(['sleep', '60']);
    expect(await person.terminate({ session, processId: running.id })).toBe(true);
    for (const child of children) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('that floods with acknowledgements, watches and nonsense is answered, and the server lives', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    const [theirs, ours] = createInMemoryChannelPair();
    server.server.accept(theirs, { identity: 'x', seesOthers: true });
    const peer = new RpcPeer(ours, { onRequest: () => null, onNotification: () => undefined });
    await peer.call('initialize', { clientName: 'x', role: 'observer' });
    peer.notify('initialized', {});
    for (let index = 0; index < 1000; index++) {
      peer.notify('observe/ack', { watch: `w${index}`, seq: Number.MAX_SAFE_INTEGER });
    }
    peer.notify('observe/ack', { watch: 5 });
    const { sessions } = (await peer.call('sessions/list', null)) as { sessions: { session: string }[] };
    const process_ = await owner.spawn(['sh', '-c', 'echo hi; sleep 60']);
    await process_.waitFor('hi');
    const target = { session: sessions[0]?.session, processId: process_.id };
    for (const more of [
      { fromSeq: 1e15 },
      { fromSeq: 0 },
      { windowBytes: 0 },
      { tailBytes: 1e15 },
      { mode: 'latest' },
    ]) {
      const watch = JSON.stringify(more);
      await peer.call('observe/open', { ...target, watch, ...more });
      await peer.call('observe/close', { watch });
    }
    await expect(peer.call('observe/open', { ...target, watch: 'x'.repeat(1000) })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(peer.call('process/start', {})).rejects.toMatchObject({ code: -32011 });
    expect(await owner.run(['echo', 'alive'])).toMatchObject({ exitCode: 0 });
    await process_.terminate();
    peer.close();
  });
});
