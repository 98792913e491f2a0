import { createInMemoryChannelPair, RpcPeer } from '@codex/exec-rpc';
import { describe, expect, it } from 'vitest';
import { ExecServer } from './exec-server.js';

function connect(server = new ExecServer()) {
  const peer = new RpcPeer(server.connectInMemory(), {
    onRequest: () => null,
    onNotification: () => undefined,
  });
  return { peer, server };
}

const initialize = (peer: RpcPeer, more: object = {}) =>
  peer.call('initialize', { clientName: 'test', ...more });

async function ready() {
  const connection = connect();
  await initialize(connection.peer);
  connection.peer.notify('initialized', {});
  return connection;
}

describe('the handshake', () => {
  it('answers initialize with a session id and what the environment is', async () => {
    const { peer, server } = connect();
    const environment = await server.describeEnvironment();
    expect(await initialize(peer)).toEqual({
      sessionId: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      environmentInfo: {
        ...environment,
        capabilities: { ...environment.capabilities, binaryPayloads: true },
      },
    });
  });

  it('refuses methods before initialize, naming their family', async () => {
    const { peer } = connect();
    await expect(peer.call('environment/status', null)).rejects.toMatchObject({
      code: -32600,
      message: 'client must call initialize before using environment status methods',
    });
    await expect(peer.call('process/list', {})).rejects.toThrow('before using exec methods');
    await expect(peer.call('fs/readFile', { path: 'file:///x' })).rejects.toThrow(
      'before using filesystem methods',
    );
  });

  it('refuses methods between initialize and initialized', async () => {
    const { peer } = connect();
    await initialize(peer);
    await expect(peer.call('environment/info', null)).rejects.toThrow(
      'client must send initialized before using environment info methods',
    );
  });

  it('checks parameters before the state of the handshake', async () => {
    const { peer } = connect();
    await expect(peer.call('process/start', {})).rejects.toMatchObject({ code: -32602 });
  });

  it('knows an unknown method at any time', async () => {
    const { peer } = connect();
    await expect(peer.call('no/such', {})).rejects.toMatchObject({ code: -32601 });
    await expect(peer.call('__proto__', {})).rejects.toMatchObject({ code: -32601 });
    await expect(peer.call('initialized', {})).rejects.toMatchObject({ code: -32601 });
    await expect(peer.call('process/output', {})).rejects.toMatchObject({ code: -32601 });
  });

  it('takes initialize once, also when two are under way', async () => {
    const { peer } = connect();
    const [first, second] = await Promise.allSettled([initialize(peer), initialize(peer)]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({
      reason: { code: -32600, message: 'initialize may only be sent once per connection' },
    });
  });

  it('may be sent in one go with what follows', async () => {
    const { peer } = connect();
    const opened = initialize(peer);
    peer.notify('initialized', {});
    const status = peer.call('environment/status', null);
    expect(await status).toEqual({ status: 'ready' });
    await opened;
    expect(peer.stats.strayResponses).toBe(0);
  });

  it('may be tried again after it failed', async () => {
    const { peer } = connect();
    await expect(initialize(peer, { resumeSessionId: 'gone' })).rejects.toMatchObject({
      code: -32600,
      message: 'unknown session id gone',
    });
    await expect(initialize(peer)).resolves.toHaveProperty('sessionId');
  });

  it('serves after initialized, and tolerates a second one', async () => {
    const { peer } = await ready();
    expect(await peer.call('environment/status', null)).toEqual({ status: 'ready' });
    peer.notify('initialized', {});
    expect(await peer.call('environment/status', {})).toEqual({ status: 'ready' });
  });
});

describe('a message nobody asked for', () => {
  it('is answered with id -1 and the connection lives', async () => {
    const { peer } = await ready();
    peer.notify('no/such', {});
    expect(await peer.call('environment/status', null)).toEqual({ status: 'ready' });
    expect(peer.stats.strayResponses).toBe(1);
  });

  it('is answered when initialized comes before initialize', async () => {
    const { peer } = connect();
    peer.notify('initialized', {});
    await initialize(peer);
    expect(peer.stats.strayResponses).toBe(1);
  });
});

describe('the end', () => {
  it('closes every connection when the server shuts down', async () => {
    const { peer, server } = await ready();
    await server.shutdown();
    expect(await peer.closed).toMatchObject({ clean: true });
  });

  it('aborts the scope of a connection whose channel closes', async () => {
    const server = new ExecServer();
    const [near, far] = createInMemoryChannelPair();
    const connection = server.accept(near);
    new RpcPeer(far, { onRequest: () => null, onNotification: () => undefined }).close();
    await connection.closed;
    expect(connection.signal.aborted).toBe(true);
  });
});
