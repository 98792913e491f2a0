// Watching real commands from beside: nothing is lost, nothing is held up, what is missing is counted.
import type { WatchEvent } from '@codex/exec-client';
import { describe, expect, it } from 'vitest';
import { cuttingProxy } from '../client/support/cutting-proxy.js';
import { isSoak } from '../process/support/soak.js';
import { observedServer } from './support/observed-server.js';

const MIB = 1024 * 1024;

describe('a watcher', () => {
  it('sees what the owner sees, to the last byte and the exit, however often its connection is cut', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    const proxy = await cuttingProxy({ address: server.url, url: server.url, stop: async () => undefined });
    const observer = await server.observer({ at: String(proxy.address), reconnect: { intervalMs: 10 } });
    const session = await server.handleOf(observer, 'owner');
    const lines = 60_000;
    const script = `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo line $i; done; exit 3`;
    const process = await owner.spawn(['sh', '-c', script]);
    const seen: WatchEvent[] = [];
    const watch = await observer.watch({ session, processId: process.id }, { windowBytes: 4096 });
    for await (const event of watch) {
      seen.push(event);
      if (event.type === 'output' && proxy.cuts < 5) proxy.cut();
    }
    const text = Buffer.concat(
      seen.flatMap((event) => (event.type === 'output' ? [event.bytes] : [])),
    ).toString();
    const expected = Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join('');
    expect(proxy.cuts).toBe(5);
    expect(text).toBe(expected);
    expect(seen.filter(({ type }) => type === 'gap')).toEqual([]);
    expect(seen.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 3 });
    expect(seen.at(-1)).toEqual({ type: 'ended', reason: 'complete' });
    await proxy.close();
  });

  it('that never reads holds up neither the owner nor the command, and is told exactly what it missed', async () => {
    await using server = await observedServer({ process: { retainedOutputBytesPerProcess: MIB } });
    const owner = await server.owner();
    const observer = await server.observer();
    const session = await server.handleOf(observer, 'owner');
    const process = await owner.spawn(['sh', '-c', 'read go; head -c 30000000 /dev/zero; echo end'], {
      stdin: 'pipe',
      capture: { maxBytes: 1024 },
    });
    const watch = await observer.watch({ session, processId: process.id }, { windowBytes: 64 * 1024 });
    await process.stdin.write('\n');
    const outcome = await process.wait();
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
    // Only now does it read: from its window on, everything that is not kept is one gap.
    let total = 0;
    const gaps: Extract<WatchEvent, { type: 'gap' }>[] = [];
    for await (const event of watch) {
      if (event.type === 'output') total += event.bytes.length;
      if (event.type === 'gap') {
        total += event.bytes;
        gaps.push(event);
      }
    }
    expect(gaps.length).toBeGreaterThan(0);
    expect(total).toBe(30_000_000 + 'end\n'.length);
  });

  it('keeps nothing alive: neither the session nor the process', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    const observer = await server.observer();
    const session = await server.handleOf(observer, 'owner');
    const process = await owner.spawn(['sleep', '60']);
    const watch = await observer.watch({ session, processId: process.id });
    await owner.close();
    const events: WatchEvent[] = [];
    for await (const event of watch) events.push(event);
    expect(events.some(({ type }) => type === 'exited' || type === 'ended')).toBe(true);
  });

  it('reads history at any place while the command runs on', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    const observer = await server.observer();
    const session = await server.handleOf(observer, 'owner');
    const process = await owner.spawn(['sh', '-c', 'echo one; read a; echo two; read b'], { stdin: 'pipe' });
    await process.waitFor('one');
    const target = { session, processId: process.id };
    const first = await observer.read(target);
    expect(first).toMatchObject({ nextSeq: 2, firstSeq: 1, exited: false });
    await process.stdin.write('\n');
    await process.waitFor('two');
    const second = await observer.read(target, { afterSeq: first.nextSeq - 1 });
    expect(Buffer.from(second.chunks[0]?.chunk ?? '', 'base64').toString()).toBe('two\n');
    expect(second.chunks[0]?.atMs).toBeGreaterThanOrEqual(first.chunks[0]?.atMs ?? 0);
    await process.terminate();
  });
});

describe('many', () => {
  it('processes are listed in one reply, all of them', async () => {
    await using server = await observedServer({
      process: {
        maxRetainedProcessesPerSession: 10_000,
        // On a busy machine many of them have yet to end when the next are started.
        maxProcessesPerSession: 10_000,
        maxProcesses: 10_000,
      },
    });
    const owner = await server.owner();
    const observer = await server.observer();
    const session = await server.handleOf(observer, 'owner');
    const count = isSoak ? 10_000 : 300;
    const start = async (index: number) =>
      owner.call('process/start', {
        processId: `p${index}`,
        argv: ['/bin/true', 'x'.repeat(900)],
        cwd: '/',
        env: {},
      });
    for (let index = 0; index < count; index += 50) {
      await Promise.all(
        Array.from({ length: Math.min(50, count - index) }, (_, some) => start(index + some)),
      );
    }
    const { processes, omitted } = await observer.processes(session);
    expect([processes.length, omitted]).toEqual([count, 0]);
    expect(new Set(processes.map(({ process: { processId } }) => processId)).size).toBe(count);
  });

  it('observers are bounded, and a refused one says why', async () => {
    await using server = await observedServer({ observe: { maxObservers: 2, maxWatchesPerObserver: 1 } });
    const owner = await server.owner();
    const first = await server.observer();
    await server.observer();
    await expect(server.observer({ reconnect: false })).rejects.toThrow('too many observers');
    const session = await server.handleOf(first, 'owner');
    const process = await owner.spawn(['sleep', '60']);
    const target = { session, processId: process.id };
    const watch = await first.watch(target);
    await expect(first.watch(target)).rejects.toThrow('too many watches');
    await watch.close();
    await (await first.watch(target)).close();
    await process.terminate();
  });
});

describe('an owner', () => {
  it('asks for approval, and is answered by who watches, or told that nobody does', async () => {
    await using server = await observedServer();
    const owner = await server.owner();
    expect(await owner.approvals.ask({ title: 'Anybody?' })).toEqual({ decision: 'nobody', decided: false });
    const told: string[] = [];
    const observer = await server.observer({
      onApproval: (approval) => {
        told.push(`${approval.title} ${approval.outcome?.decision ?? 'open'}`);
        if (approval.outcome != null) return;
        void observer.decide({
          session: approval.session,
          approval: approval.approval,
          decision: 'once',
          note: 'be careful',
        });
      },
    });
    const answer = await owner.approvals.ask({
      title: 'Publish?',
      argv: ['npm', 'publish'],
      choices: [
        { id: 'once', label: 'Once' },
        { id: 'never', label: 'Never' },
      ],
    });
    expect(answer).toMatchObject({ decision: 'once', decided: true, note: 'be careful' });
    await expect.poll(() => told).toEqual(['Publish? open', 'Publish? once']);
  });
});
