// The published schema, read by a validator that is not ours, describes what really goes over the wire.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { METHODS } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ExecServerProgram } from '../cli/support/exec-server-program.js';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const BUNDLE = file('../../../packages/protocol/schema/exec-server.schema.json');
const openRpc = JSON.parse(
  readFileSync(file('../../../packages/protocol/schema/exec-server.openrpc.json'), 'utf8'),
) as OpenRpc;

interface OpenRpc {
  readonly methods: readonly {
    readonly name: string;
    readonly 'x-shape'?: { readonly $ref: string };
    readonly result?: { readonly schema: { readonly $ref: string } };
  }[];
}

interface Checked {
  readonly shape: string;
  readonly value: unknown;
}

/** One answer per message: `ok`, or what is wrong. */
function validate(messages: readonly Checked[]): string[] {
  const input = messages.map((message) => JSON.stringify(message)).join('\n');
  const output = execFileSync('/usr/bin/python3', ['-W', 'ignore', file('./foreign-validator.py'), BUNDLE], {
    input,
  });
  return String(output).trimEnd().split('\n');
}

function shapesOf(method: string): { params?: string; result?: string } {
  const entry = openRpc.methods.find(({ name }) => name === method);
  const name = (reference?: string): string | undefined => reference?.replace(/^.*\//, '');
  const params = name(entry?.['x-shape']?.$ref);
  const result = name(entry?.result?.schema.$ref);
  return { ...(params && { params }), ...(result && { result }) };
}

/** Plays a session with a real server and keeps every message with the shape that it should have. */
async function recordSession(url: string): Promise<Checked[]> {
  const socket = new WebSocket(url);
  await new Promise((resolve) => socket.once('open', resolve));
  const seen: Checked[] = [];
  const asked = new Map<number, { method: string; done: () => void }>();
  let lastId = 0;
  let isClosed: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    isClosed = resolve;
  });
  const note = (shape: string | undefined, value: unknown): void => {
    if (shape !== undefined) seen.push({ shape, value });
  };
  socket.on('message', (data) => {
    const { id, method, params, result } = JSON.parse(String(data));
    if (method !== undefined) {
      note(shapesOf(method).params, params);
      if (method === 'process/closed') isClosed();
      return;
    }
    const call = asked.get(id);
    if (result !== undefined) note(shapesOf(call?.method ?? '').result, result);
    call?.done();
  });
  const call = (method: string, params: unknown): Promise<void> => {
    note(shapesOf(method).params, params);
    socket.send(JSON.stringify({ id: ++lastId, method, params }));
    const id = lastId;
    return new Promise((done) => asked.set(id, { method, done }));
  };
  await call('initialize', { clientName: 'schema', resumeSessionId: null, lifecycleNotifications: true });
  socket.send('{"method":"initialized"}');
  await call('environment/info', null);
  const start = {
    processId: 'p',
    argv: ['sh', '-c', 'echo hi; read x; exit 3'],
    cwd: '/',
    env: {},
    pipeStdin: true,
  };
  await call('process/start', start);
  await call('process/write', { processId: 'p', chunk: 'eAo=', writeId: '1' });
  await closed;
  await call('process/read', { processId: 'p', afterSeq: 0 });
  await call('process/wait', { processId: 'p' });
  await call('process/snapshot', { processId: 'p' });
  await call('process/list', null);
  await call('fs/getMetadata', { path: '/' });
  await call('fs/readDirectory', { path: 'file:///etc' });
  await call('fs/walk', {
    path: '/etc/apt',
    options: { maxDepth: 1, maxDirectories: 10, maxEntries: 10, followDirectorySymlinks: false },
  });
  socket.terminate();
  return seen;
}

describe('the published schema', () => {
  it('describes a real session', async () => {
    await using server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0']);
    const seen = await recordSession(await server.url());
    expect(seen.length).toBeGreaterThan(20);
    const answers = validate(seen);
    const wrong = seen.flatMap(({ shape, value }, index) =>
      answers[index] === 'ok'
        ? []
        : [`${shape}: ${answers[index]} in ${JSON.stringify(value).slice(0, 200)}`],
    );
    expect(wrong).toEqual([]);
  });

  it('refuses what the server refuses', () => {
    const start = { processId: 'p', argv: ['true'], cwd: '/', env: {} };
    expect(
      validate([
        { shape: 'ProcessStartParams', value: start },
        { shape: 'ProcessStartParams', value: { ...start, argv: 'true' } },
        { shape: 'ProcessStartParams', value: { ...start, tty: 'yes' } },
        { shape: 'ProcessReadParams', value: { afterSeq: 1 } },
        { shape: 'ProcessReadParams', value: { processId: 'p', afterSeq: -1 } },
      ]).map((answer) => answer === 'ok'),
    ).toEqual([true, false, false, false, false]);
  });

  it('has every method in its map, with its shapes', () => {
    expect(openRpc.methods.map(({ name }) => name)).toEqual(Object.keys(METHODS));
    for (const { name, result } of openRpc.methods) {
      expect(result !== undefined, name).toBe(METHODS[name as keyof typeof METHODS].kind === 'request');
    }
  });
});
