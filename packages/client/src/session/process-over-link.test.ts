import { RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { setUp } from '../../test-support/scripted-client.js';
import { turns } from '../../test-support/scripted-server.js';

describe('starting a process', () => {
  it('hears output that comes before the answer', async () => {
    const { server, connect } = setUp();
    server.answers['process/start'] = () => {
      server.notify('process/output', { processId: 'p', seq: 1, stream: 'stdout', chunk: 'eA==' });
      return { processId: 'p' };
    };
    const client = await connect();
    const process = await client.spawn(['x'], { id: 'p' });
    expect((await process.yieldWindow({ ms: 0 })).output.text).toBe('x');
  });

  it('stops listening when the start fails', async () => {
    const { server, connect } = setUp();
    server.answers['process/start'] = () => {
      throw new RpcError(RpcErrorCode.internal, 'No such file or directory (os error 2)');
    };
    const client = await connect();
    await expect(client.spawn(['x'], { id: 'p' })).rejects.toMatchObject({
      code: 'process.spawn',
      details: { reason: 'notFound', cwd: '/project', command: 'x' },
    });
    server.answers['process/start'] = () => ({ processId: 'p' });
    expect((await client.spawn(['x'], { id: 'p' })).state).toBe('running');
  });

  it('lets go at once when its caller aborts, and ends what may still start', async () => {
    const { server, connect } = setUp();
    let start = (): void => {};
    server.answers['process/start'] = () =>
      new Promise((resolve) => {
        start = () => resolve({ processId: 'p' });
      });
    server.answers['process/terminate'] = () => ({ running: true });
    const client = await connect();
    const abort = new AbortController();
    const starting = client.spawn(['x'], { id: 'p', signal: abort.signal }).catch((error: unknown) => error);
    await turns();
    abort.abort();
    expect(await starting).toMatchObject({ code: 'aborted' });
    start();
    await turns();
    expect(server.methods()).toContain('process/terminate');
  });

  it('ends as lost when the server says that it lost it', async () => {
    const { server, connect } = setUp();
    server.answers['process/start'] = () => ({ processId: 'p' });
    const client = await connect();
    const process = await client.spawn(['x'], { id: 'p' });
    server.notify('process/failed', { processId: 'p', message: 'the disk is gone' });
    const outcome = await process.wait();
    expect(outcome).toMatchObject({ kind: 'lost' });
    expect(outcome.kind === 'lost' && outcome.error.message).toContain('the disk is gone');
  });

  it('does not keep anybody waiting on a handle that was detached', async () => {
    const { server, connect } = setUp();
    server.answers['process/start'] = () => ({ processId: 'p' });
    const client = await connect();
    const process = await client.spawn(['x'], { id: 'p' });
    const waiting = process.wait();
    expect(process.detach()).toEqual({ v: 1, sessionId: 'session', processId: 'p', cursor: 'seq:0' });
    expect(await waiting).toMatchObject({ kind: 'lost', error: { code: 'closed' } });
    await client.close();
    expect(server.methods()).not.toContain('process/terminate');
  });

  it('gives up a stop that is never confirmed, with the reason as the outcome', async () => {
    const { server, clock, connect } = setUp();
    server.answers['process/start'] = () => ({ processId: 'p' });
    const client = await connect();
    const process = await client.spawn(['x'], { id: 'p', timeoutMs: 1000 });
    await clock.advance(1000);
    await turns();
    expect(server.methods()).toContain('process/signal');
    expect(server.methods()).not.toContain('process/terminate');
    await clock.advance(2000);
    await turns();
    expect(server.methods()).toContain('process/terminate');
    await clock.advance(5000);
    expect(await process.wait()).toEqual({ kind: 'timedOut', timeoutMs: 1000, exitCode: null });
  });
});

describe('requests in flight', () => {
  it('are bounded, and control requests do not wait behind them', async () => {
    const { server, connect } = setUp();
    server.answers['process/start'] = () => ({ processId: 'p' });
    server.answers['process/terminate'] = () => ({ running: true });
    const client = await connect();
    const process = await client.spawn(['x'], { id: 'p' });
    for (let index = 0; index < 300; index++) void client.fs.stat(`/${index}`).catch(() => undefined);
    await turns();
    expect(server.methods().filter((method) => method === 'fs/getMetadata')).toHaveLength(64);
    await process.terminate();
    server.cut(4001);
    await turns();
  });
});
