import { RpcError, RpcErrorCode, sessionAlreadyAttached, unknownSession } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { setUp } from '../../test-support/scripted-client.js';
import { turns } from '../../test-support/scripted-server.js';
import { ExecServerClient } from '../exec-server-client.js';
import { ExecServerError } from '../exec-server-error.js';

describe('connecting', () => {
  it('says who it is and that it may come back, then that it is ready', async () => {
    const { server, connect } = setUp();
    const client = await connect({ clientName: 'me', sessionTtlMs: 5000 });
    expect(client.sessionId).toBe('session');
    await turns();
    expect(server.heard).toEqual([
      {
        method: 'initialize',
        params: {
          clientName: 'me',
          resumeSessionId: null,
          lifecycleNotifications: true,
          sessionTtlMs: 5000,
          binaryPayloads: true,
        },
      },
      { method: 'initialized', params: {} },
    ]);
  });

  it('asks for the environment where an older server does not tell', async () => {
    const { server, connect } = setUp();
    server.answers['initialize'] = () => ({ sessionId: 's' });
    server.answers['environment/info'] = () => ({ shell: { name: 'sh', path: '/bin/sh' } });
    const client = await connect();
    expect(client.info.shell.path).toBe('/bin/sh');
    expect(client.supports('stdin.end')).toBe(false);
  });

  it('says that this Node is too old, where it is, and sends nothing', async () => {
    const { server, connect } = setUp();
    vi.stubGlobal('process', Object.create(process, { versions: { value: { node: '18.20.8' } } }));
    onTestFinished(() => void vi.unstubAllGlobals());
    await expect(connect()).rejects.toMatchObject({
      code: 'transport.connect',
      message: expect.stringContaining('this is Node 18.20.8'),
      retryable: false,
    });
    expect(server.heard).toEqual([]);
  });

  it('gives up on a server that does not answer', async () => {
    const { server, clock, connect } = setUp();
    delete server.answers['initialize'];
    const connecting = connect({ connectTimeoutMs: 700 }).catch((error: unknown) => error);
    await turns();
    await clock.advance(700);
    expect(await connecting).toMatchObject({ code: 'transport.timeout', retryable: true });
    await turns();
    await server.peers[0]?.closed;
  });

  it('gives up when its caller does', async () => {
    const { server, connect } = setUp();
    delete server.answers['initialize'];
    const abort = new AbortController();
    const connecting = connect({ signal: abort.signal }).catch((error: unknown) => error);
    abort.abort('changed my mind');
    const error = await connecting;
    if (!ExecServerError.is(error, 'aborted')) throw error;
    expect(error.cause).toBe('changed my mind');
  });

  it('waits until the server has noticed that the last holder of a session left', async () => {
    const { server, clock, connect } = setUp();
    let refusals = 1;
    server.answers['initialize'] = () => {
      if (refusals-- > 0) throw sessionAlreadyAttached('session');
      return { sessionId: 'session', environmentInfo: server.info };
    };
    const connecting = connect({ resume: { sessionId: 'session' } });
    await turns();
    await clock.advance(100);
    expect((await connecting).sessionId).toBe('session');
  });

  it('fails with the reason when nobody listens, or the server refuses', async () => {
    const { server, connect } = setUp();
    server.answers['initialize'] = () => {
      throw unknownSession('x');
    };
    await expect(connect({ resume: { sessionId: 'x' } })).rejects.toMatchObject({
      code: 'session.unknown',
      details: { sessionId: 'x' },
    });
    server.refusing = true;
    await expect(connect()).rejects.toMatchObject({ code: 'transport.connect', retryable: true });
    await expect(ExecServerClient.connect('http://example.test')).rejects.toMatchObject({
      code: 'argument.invalid',
    });
  });
});

describe('a lost connection', () => {
  it('is resumed, waits out the old connection, and repeats what is safe with the same write id', async () => {
    const { server, clock, connect } = setUp();
    server.answers['process/start'] = () => ({ processId: 'p' });
    const client = await connect();
    const process = await client.spawn(['cat'], { id: 'p', stdin: 'pipe' });
    const writing = process.stdin.write('hello');
    await turns();
    let refusals = 2;
    server.answers['initialize'] = ({ resumeSessionId }) => {
      if (refusals-- > 0) throw sessionAlreadyAttached(String(resumeSessionId));
      return { sessionId: 'session', environmentInfo: server.info };
    };
    server.answers['process/read'] = () => ({
      chunks: [],
      nextSeq: 1,
      exited: false,
      exitCode: null,
      closed: false,
      failure: null,
    });
    server.answers['process/write'] = () => ({ status: 'accepted' });
    server.cut();
    await turns();
    await clock.advance(100);
    await turns();
    await clock.advance(100);
    await turns();
    await writing;
    const writes = server.heard.filter(({ method }) => method === 'process/write');
    expect(writes).toHaveLength(2);
    expect(writes[0]).toEqual(writes[1]);
    expect(server.methods().filter((method) => method === 'initialize')).toHaveLength(4);
    expect(server.heard).toContainEqual({
      method: 'initialize',
      params: {
        clientName: 'exec-client',
        resumeSessionId: 'session',
        lifecycleNotifications: true,
        binaryPayloads: true,
      },
    });
  });

  it('fails a call that is not safe to repeat, and says that it may have happened', async () => {
    const { server, connect } = setUp();
    const client = await connect();
    const copying = client.fs.copy('/a', '/b').catch((error: unknown) => error);
    await turns();
    server.cut();
    expect(await copying).toMatchObject({ code: 'transport.lost', admitted: 'unknown', retryable: true });
    expect(server.methods().filter((method) => method === 'fs/copy')).toHaveLength(1);
  });

  it('is final when the session is unknown, taken over, or time is up', async () => {
    for (const break_ of ['unknown', 'taken', 'time'] as const) {
      const { server, clock, connect } = setUp();
      server.answers['process/start'] = () => ({ processId: 'p' });
      const events: string[] = [];
      const client = await connect({
        reconnect: { maxElapsedMs: 1000 },
        onEvent: ({ type }) => events.push(type),
      });
      const process = await client.spawn(['cat'], { id: 'p' });
      server.answers['initialize'] = () => {
        throw unknownSession('session');
      };
      server.refusing = break_ === 'time';
      server.cut(break_ === 'taken' ? 4001 : 1006);
      await turns();
      await clock.advance(1000);
      await turns();
      expect(await process.wait()).toMatchObject({ kind: 'lost', error: { code: 'transport.lost' } });
      await expect(client.fs.stat('/x')).rejects.toMatchObject({
        code: 'transport.lost',
        message: expect.stringContaining(break_ === 'unknown' ? 'it was started anew' : 'is lost'),
      });
      expect(events.at(-1)).toBe('lost');
      expect(clock.pending).toBe(0);
    }
  });

  it('tells why nothing could be reached, not that its last attempt was cut short', async () => {
    const { server, clock, connect } = setUp();
    server.answers['process/start'] = () => ({ processId: 'p' });
    const client = await connect({ reconnect: { maxElapsedMs: 1000, intervalMs: 950 } });
    const process = await client.spawn(['cat'], { id: 'p' });
    server.refusing = true;
    server.cut();
    await turns();
    server.refusing = false;
    delete server.answers['initialize'];
    await clock.advance(950);
    await turns();
    await clock.advance(50);
    await turns();
    expect(await process.wait()).toMatchObject({
      kind: 'lost',
      error: {
        message: expect.stringMatching(/is lost: .*; gave up after 2 attempts: nobody listens$/),
      },
    });
  });

  it('calls what a function leads to by the name of its channel', async () => {
    const { server, connect } = setUp();
    const client = await connect({ reconnect: false });
    server.cut();
    await turns();
    await expect(client.fs.stat('/x')).rejects.toMatchObject({
      message: expect.stringMatching(/^the connection to exec-server in-memory is lost/),
    });
  });

  it('finds a process whose start was answered into the void', async () => {
    const { server, connect } = setUp();
    const client = await connect();
    const starting = client.spawn(['sleep', '1'], { id: 'p' });
    await turns();
    server.answers['process/start'] = () => {
      throw new RpcError(RpcErrorCode.invalidRequest, 'process p already exists');
    };
    server.answers['process/read'] = () => ({
      chunks: [{ seq: 1, stream: 'stdout', chunk: 'eA==' }],
      nextSeq: 2,
      exited: false,
      exitCode: null,
      closed: false,
      failure: null,
    });
    server.cut();
    await turns();
    const process = await starting;
    expect((await process.yieldWindow({ ms: 0 })).output.text).toBe('x');
    // The same words without a lost answer mean what they say.
    await expect(client.spawn(['sleep', '1'], { id: 'q' })).rejects.toMatchObject({
      code: 'process.idInUse',
    });
  });

  it('hands such a process to its reader while it is still caught up with', async () => {
    const { server, connect } = setUp();
    const client = await connect();
    const starting = client.spawn(['yes'], { id: 'p' });
    await turns();
    server.answers['process/start'] = () => {
      throw new RpcError(RpcErrorCode.invalidRequest, 'process p already exists');
    };
    server.answers['process/read'] = () => new Promise(() => {});
    server.cut();
    await turns();
    server.notify('process/output', { processId: 'p', seq: 1, stream: 'stdout', chunk: 'eA==' });
    const process = await starting;
    expect((await process.yieldWindow({ ms: 0 })).output.text).toBe('x');
  });

  it('does not come back once the client is closed', async () => {
    const { server, clock, connect } = setUp();
    const client = await connect();
    server.refusing = true;
    server.cut();
    await turns();
    await client.close();
    await clock.advance(60_000);
    await expect(client.run('true')).rejects.toMatchObject({ code: 'closed' });
    expect(clock.pending).toBe(0);
  });
});
