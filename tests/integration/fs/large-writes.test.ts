// Large writes over a real websocket, where their payload is decoded from the frames and its memory is used again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocketListener } from '@codex/exec-listener';
import { pathToFileUri } from '@codex/exec-protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { base64, setUp } from './support/fs-fixture.js';

const MIB = 1024 * 1024;
/** Different at every place, and from every other seed. */
const contents = (seed: number, length: number): Buffer =>
  Buffer.from(
    Uint32Array.from({ length: length / 4 }, (_, index) => Math.imul(index + 1, 2654435761) ^ seed).buffer,
  );

async function largeWrites() {
  const { server, directory } = await setUp();
  const listener = await WebSocketListener.listen({
    host: '127.0.0.1',
    port: 0,
    onChannel: (channel) => void server.accept(channel),
  });
  const socket = new WebSocket(listener.url, { perMessageDeflate: false });
  onTestFinished(async () => {
    socket.terminate();
    await listener.close(100);
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const waiting = new Map<number, (answer: { error?: { code: number; message: string } }) => void>();
  socket.on('message', (data) => {
    const answer = JSON.parse(String(data));
    waiting.get(answer.id)?.(answer);
  });
  let id = 0;
  const send = (text: (id: number) => string, answeredAs?: number) => {
    const own = ++id;
    socket.send(text(own));
    return new Promise<{ error?: { code: number; message: string } }>((resolve) =>
      waiting.set(answeredAs ?? own, resolve),
    );
  };
  const call = (method: string, params: unknown) =>
    send((own) => JSON.stringify({ id: own, method, params }));
  await call('initialize', { clientName: 'large' });
  socket.send('{"method":"initialized"}');
  const at = (name: string) => join(directory, name);
  const write = (name: string, dataBase64: string, options = {}) =>
    call('fs/writeFile', { path: pathToFileUri(at(name)), dataBase64, ...options });
  return { send, call, write, at };
}

describe('large writes', () => {
  it('hold what was sent, one after the other and all at once', async () => {
    const { write, at } = await largeWrites();
    const files = Array.from({ length: 8 }, (_, seed) => contents(seed, (seed + 1) * 900_004));
    for (const [seed, bytes] of files.entries()) {
      expect(await write(`single-${seed}`, base64(bytes))).not.toHaveProperty('error');
    }
    await Promise.all(files.map((bytes, seed) => write(`together-${seed}`, base64(bytes))));
    for (const [seed, bytes] of files.entries()) {
      expect(readFileSync(at(`single-${seed}`)).equals(bytes)).toBe(true);
      expect(readFileSync(at(`together-${seed}`)).equals(bytes)).toBe(true);
    }
  });

  it('append, replace atomically and create exclusively like small ones', async () => {
    const { write, at } = await largeWrites();
    const [first, second] = [contents(1, MIB), contents(2, 2 * MIB)];
    await write('file', base64(first));
    await write('file', base64(second), { append: true });
    expect(readFileSync(at('file')).equals(Buffer.concat([first, second]))).toBe(true);
    await write('file', base64(second), { atomic: true });
    expect(readFileSync(at('file')).equals(second)).toBe(true);
    expect(await write('file', base64(first), { exclusive: true })).toHaveProperty('error');
    expect(readFileSync(at('file')).equals(second)).toBe(true);
  });

  it('go into blocks of an open file', async () => {
    const { call, at } = await largeWrites();
    const path = pathToFileUri(at('blocks'));
    await call('fs/open', { path, handleId: 'h', mode: 'replace' });
    const blocks = [contents(3, MIB), contents(4, MIB)];
    await Promise.all(
      blocks.map((block, index) =>
        call('fs/writeBlock', { handleId: 'h', offset: index * MIB, chunk: base64(block) }),
      ),
    );
    const tooLong = await call('fs/writeBlock', {
      handleId: 'h',
      offset: 0,
      chunk: base64(contents(5, MIB + 4)),
    });
    expect(tooLong.error?.message).toContain('block length');
    await call('fs/close', { handleId: 'h' });
    expect(readFileSync(at('blocks')).equals(Buffer.concat(blocks))).toBe(true);
  });

  it('are refused in the words of small ones when something is wrong with them, and change nothing', async () => {
    const { send, write, at } = await largeWrites();
    const good = base64(contents(6, MIB));
    await write('file', good);
    const damaged = (symbol: string) => good.slice(0, 700_000) + symbol + good.slice(700_001);
    expect((await write('file', damaged('?'))).error?.message).toContain('Invalid symbol 63, offset 700000.');
    expect((await write('file', `${good}A`)).error).toBeDefined();
    const raw = (dataBase64: string) => (id: number) =>
      `{"id":${id},"method":"fs/writeFile","params":{"path":"${pathToFileUri(at('file'))}","dataBase64":"${dataBase64}"}}`;
    const malformed = await send(raw(damaged('\n')), -1);
    expect(malformed.error?.message).toContain('the message is not valid JSON');
    const twice = await send(raw(`${good}","dataBase64":"${good}`), -1);
    expect(twice.error?.message).toContain('duplicate JSON object key `dataBase64`');
    expect(await send(raw(good.replaceAll('/', '\\/')))).not.toHaveProperty('error');
    expect(readFileSync(at('file')).equals(contents(6, MIB))).toBe(true);
  });
});
