// Ways to a server besides a URL in Node: a command on stdio, and the websocket of the web.

import { fileURLToPath } from 'node:url';
import { type ConnectTarget, ExecServerClient, ExecServerError } from '@codex/exec-client';
import { WebSocketListener } from '@codex/exec-listener';
import { capabilityTokenAuth } from '@codex/exec-listener/auth';
import { ExecServer } from '@codex/exec-server-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { platform as webPlatform } from '../../../packages/client/src/web/platform.js';
import { describeOnEveryTarget, isRealCodexAsked } from './support/targets.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const COMMANDS: Record<string, ConnectTarget> = {
  'our server': {
    command: [
      process.execPath,
      '--conditions=@codex/source',
      '--import',
      'tsx',
      fileURLToPath(new URL('./fixtures/stdio-server.ts', import.meta.url)),
    ],
    cwd: here('../../..'),
  },
  ...(isRealCodexAsked
    ? {
        'the real codex': {
          command: [process.env['CODEX_BINARY'] ?? '', 'exec-server', '--listen', 'stdio'],
        },
      }
    : {}),
};

describe.each(Object.entries(COMMANDS))('a command target with %s', (_name, target) => {
  it('starts the server, works, and ends it', async () => {
    const client = await ExecServerClient.connect(target, { connectTimeoutMs: 60_000 });
    expect(client.supports('reconnect')).toBe(false);
    const result = await client.run('echo $PPID');
    expect(result.ok).toBe(true);
    const lost = await client.spawn('sleep 30');
    await client.close();
    expect(lost.state).not.toBe('running');
    await expect(client.run('true')).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('a server that wants a token', () => {
  it('lets in whoever has it and tells the others, without telling the token', async () => {
    const server = new ExecServer();
    const listener = await WebSocketListener.listen({
      host: '127.0.0.1',
      port: 0,
      auth: capabilityTokenAuth({ token: 'open-sesame' }),
      onChannel: (channel, { identity }) => void server.accept(channel, { identity }),
    });
    const client = await ExecServerClient.connect(listener.url, { token: 'open-sesame' });
    expect((await client.run('echo in')).stdout.text).toBe('in\n');
    const failure = await ExecServerClient.connect(listener.url, { token: 'wrong-word' }).catch(
      (error: unknown) => error,
    );
    if (!ExecServerError.is(failure, 'transport.connect')) throw failure;
    expect(failure.retryable).toBe(false);
    expect(failure.hint).toContain('token');
    expect(JSON.stringify(failure) + failure.stack).not.toContain('wrong-word');
    await client.close();
    await server.shutdown();
    await listener.close();
  });

  it('fails at once where nobody listens, and may be tried again', async () => {
    await expect(ExecServerClient.connect('ws://127.0.0.1:9')).rejects.toMatchObject({
      code: 'transport.connect',
      retryable: true,
      message: 'nothing listens on ws://127.0.0.1:9',
    });
  });

  it('names the address once', async () => {
    const failure: unknown = await ExecServerClient.connect('ws://no-such-host.invalid:9').catch(
      (error) => error,
    );
    if (!ExecServerError.is(failure, 'transport.connect')) throw failure;
    expect(failure.message.split('ws://no-such-host.invalid:9')).toHaveLength(2);
  });
});

describe('a target that is none', () => {
  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    [7777, '7777'],
    [{ url: 'ws://127.0.0.1:9' }, 'an object'],
  ])('is refused with what would be one: %j', async (target, shown) => {
    await expect(ExecServerClient.connect(target as unknown as ConnectTarget)).rejects.toMatchObject({
      code: 'argument.invalid',
      message: `connect takes a URL, { command } or { channel }, not ${shown}`,
    });
  });
});

describe('a command target', () => {
  it('fails with the name of a program that does not exist', async () => {
    await expect(ExecServerClient.connect({ command: ['/no/such/server'] })).rejects.toMatchObject({
      code: 'transport.connect',
      message: expect.stringContaining('/no/such/server'),
    });
  });

  it('fails when the program is no server', async () => {
    await expect(ExecServerClient.connect({ command: ['true'] })).rejects.toMatchObject({
      code: 'transport.connect',
    });
  });
});

describeOnEveryTarget('the websocket of the web', (suite) => {
  afterEach(() => vi.unstubAllGlobals());

  it('carries a session', async () => {
    const { url } = suite.target();
    if (url === undefined) return;
    vi.stubGlobal('WebSocket', WebSocket);
    const open = () => webPlatform.openWebSocket(url, { headers: {}, signal: new AbortController().signal });
    const client = await ExecServerClient.connect({ channel: open });
    const result = await client.run('head -c 3000000 /dev/zero | tr "\\0" x; echo é');
    expect(result.stdout.totalBytes).toBe(3_000_003);
    expect(result.stdout.text.endsWith('xé\n')).toBe(true);
    await client.close();
  });

  it('refuses what it cannot do', async () => {
    const signal = new AbortController().signal;
    const headers = { authorization: 'Bearer x' };
    await expect(webPlatform.openWebSocket('ws://127.0.0.1:1', { headers, signal })).rejects.toMatchObject({
      code: 'unsupported',
    });
    await expect(
      webPlatform.openWebSocket('ws://127.0.0.1:1', { headers: {}, signal }),
    ).rejects.toMatchObject({
      code: 'transport.connect',
    });
  });
});
