// Sessions: who can come back, to what, and who may not.
import { createInMemoryChannelPair } from '@codex/exec-rpc';
import { ExecServer } from '@codex/exec-server-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RawClient, shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('a session', () => {
  it('is resumed with its processes, their output and their write ids', async () => {
    const { client: connect, url } = await serve();
    const first = await connect();
    expect(first.sessionId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await first.start('p', shell('echo one; read x; echo "got $x"; sleep 20'), { pipeStdin: true });
    await first.until(() => first.bytesOf('p').includes('one'));
    await first.call('process/write', {
      processId: 'p',
      chunk: Buffer.from('a\n').toString('base64'),
      writeId: 'w1',
    });
    first.cut();
    await first.closed;
    const second = await RawClient.connect(url);
    onTestFinished(() => second.cut());
    await expect
      .poll(
        async () =>
          (await second.request('initialize', { clientName: 'x', resumeSessionId: first.sessionId })).error,
      )
      .toBeUndefined();
    second.socket.send('{"method":"initialized"}');
    const repeated = await second.call('process/write', {
      processId: 'p',
      chunk: Buffer.from('b\n').toString('base64'),
      writeId: 'w1',
    });
    expect(repeated).toEqual({ status: 'accepted' });
    const read = await second.call<{ chunks: { chunk: string }[] }>('process/read', {
      processId: 'p',
      waitMs: 2000,
      afterSeq: 1,
    });
    expect(Buffer.from(read.chunks[0]?.chunk ?? '', 'base64').toString()).toBe('got a\n');
    expect(await second.call('process/terminate', { processId: 'p' })).toEqual({ running: true });
    await second.untilClosed('p');
  });

  it('sends a client that comes back what its read left, and nothing before', async () => {
    const { client: connect } = await serve();
    const first = await connect();
    await first.start('p', shell('i=0; while [ $i -lt 40 ]; do echo line $i; i=$((i+1)); sleep 0.02; done'));
    await first.until(() => first.bytesOf('p').length > 0);
    const last = first.eventsOf('p').at(-1)?.seq ?? 0;
    first.cut();
    const second = await connect({ resumeSessionId: first.sessionId });
    await sleep(100);
    expect(second.events).toEqual([]);
    const read = await second.call<{ nextSeq: number; chunks: { seq: number; chunk: string }[] }>(
      'process/read',
      { processId: 'p', afterSeq: last },
    );
    await second.untilClosed('p');
    const pushed = second.eventsOf('p').map(({ seq }) => seq);
    expect(pushed[0]).toBe(read.nextSeq);
    expect([...read.chunks.map(({ seq }) => seq), ...pushed]).toEqual(
      Array.from({ length: pushed.length + read.chunks.length }, (_, i) => last + 1 + i),
    );
  });

  it('sends on by itself to a client that comes back and does not read', async () => {
    const { client: connect } = await serve();
    const first = await connect();
    await first.start('p', shell('echo one; sleep 0.3; echo two'));
    await first.until(() => first.bytesOf('p').length > 0);
    first.cut();
    const second = await connect({ resumeSessionId: first.sessionId });
    await second.untilClosed('p');
    expect(second.eventsOf('p').map(({ seq }) => seq)).toEqual([2, 3, 4]);
  });

  it('cannot be resumed when unknown, expired, of a client that did not say it comes back, or of someone else', async () => {
    const { client: connect, url, server } = await serve({ session: { sessionTtlMs: 100 } });
    const refusal = async (resumeSessionId: string) => {
      const client = await RawClient.connect(url);
      onTestFinished(() => client.cut());
      return client.refusal('initialize', { clientName: 'x', resumeSessionId });
    };
    expect(await refusal('nope')).toEqual({ code: -32600, message: 'unknown session id nope' });
    const expired = await connect();
    expired.cut();
    await sleep(250);
    expect((await refusal(expired.sessionId)).message).toBe(`unknown session id ${expired.sessionId}`);
    const plain = await connect({});
    expect((await refusal(plain.sessionId)).message).toBe(`unknown session id ${plain.sessionId}`);
    const others = await connect();
    expect((await refusal(others.sessionId)).code).toBe(-32010);
    const [serverSide, clientSide] = createInMemoryChannelPair();
    server.accept(serverSide, { identity: 'somebody else' });
    const answer = new Promise<string>((resolve) =>
      clientSide.start({ message: resolve, drained: () => undefined, closed: () => undefined }),
    );
    clientSide.send(
      JSON.stringify({
        id: 1,
        method: 'initialize',
        params: { clientName: 'x', resumeSessionId: others.sessionId },
      }),
    );
    expect(JSON.parse(await answer)).toMatchObject({
      error: { code: -32600, message: `unknown session id ${others.sessionId}` },
    });
    clientSide.close();
  });

  it('stays with a holder that answers, and is taken from one that is silent', async () => {
    const { client: connect, url } = await serve({ session: { takeoverProbeMs: 300 } });
    const holder = await connect();
    await holder.start('p', ['/bin/sleep', '20']);
    const rival = await RawClient.connect(url);
    onTestFinished(() => rival.cut());
    const resume = () => rival.request('initialize', { clientName: 'x', resumeSessionId: holder.sessionId });
    expect((await resume()).error).toEqual({
      code: -32010,
      message: `session ${holder.sessionId} is already attached to another connection`,
    });
    // Half open: the socket is open and is not read.
    holder.socket.pause();
    expect((await resume()).error).toBeUndefined();
    rival.socket.send('{"method":"initialized"}');
    expect(await rival.call('process/terminate', { processId: 'p' })).toEqual({ running: true });
    holder.socket.resume();
    expect(await holder.closed).toMatchObject({ code: 4001 });
  });

  it('lets at most so many sessions be open', async () => {
    const { client: connect, url } = await serve({ session: { maxSessions: 1 } });
    await connect();
    const client = await RawClient.connect(url);
    onTestFinished(() => client.cut());
    expect(await client.refusal('initialize', { clientName: 'x' })).toEqual({
      code: -32600,
      message: 'too many sessions: the limit (maxSessions) is 1',
    });
  });

  it('lives as long as the client asks for, up to the server’s maximum', async () => {
    const { client: connect } = await serve({ session: { maxSessionTtlMs: 1000 } });
    const client = await connect({ resumeSessionId: null, sessionTtlMs: 600 });
    client.cut();
    await sleep(350);
    const back = await connect({ resumeSessionId: client.sessionId });
    expect(back.sessionId).toBe(client.sessionId);
    const capped = await connect({ resumeSessionId: null, sessionTtlMs: 3_600_000 });
    capped.cut();
    await sleep(1200);
    await expect(connect({ resumeSessionId: capped.sessionId })).rejects.toThrow('unknown session id');
  });
});

describe('an in-memory channel', () => {
  it('serves processes like a socket does', async () => {
    const server = new ExecServer({ process: { shutdownGracePeriodMs: 100 } });
    onTestFinished(() => server.shutdown());
    const channel = server.connectInMemory();
    const received: { method?: string; params?: { chunk?: string } }[] = [];
    const closed = new Promise<void>((resolve) => {
      channel.start({
        message: (text) => {
          received.push(JSON.parse(text));
          if (text.includes('process/closed')) resolve();
        },
        drained: () => undefined,
        closed: () => undefined,
      });
    });
    channel.send('{"id":1,"method":"initialize","params":{"clientName":"x"}}');
    channel.send('{"method":"initialized"}');
    channel.send(
      JSON.stringify({
        id: 2,
        method: 'process/start',
        params: { processId: 'p', argv: shell('echo hi'), cwd: '/', env: {}, tty: false },
      }),
    );
    await closed;
    const chunk = received.find(({ method }) => method === 'process/output')?.params?.chunk ?? '';
    expect(Buffer.from(chunk, 'base64').toString()).toBe('hi\n');
    channel.close();
  });
});
