// A client that asks for much and reads nothing must not fill the memory of the server, and gets all in the end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketListener } from '@codex/exec-listener';
import { ExecServer } from '@codex/exec-server-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

const MIB = 1024 * 1024;

async function connectRaw(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  onTestFinished(() => socket.terminate());
  await new Promise((resolve) => socket.once('open', resolve));
  const opened = new Promise((resolve) => socket.once('message', resolve));
  socket.send('{"id":0,"method":"initialize","params":{"clientName":"slow"}}');
  await opened;
  socket.send('{"method":"initialized"}');
  return socket;
}

describe('a client that does not read its answers', () => {
  it('waits for its own reads and is served when it goes on', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'exec-fs-'));
    const server = new ExecServer();
    const listener = await WebSocketListener.listen({
      host: '127.0.0.1',
      port: 0,
      onChannel: (channel, { identity }) => void server.accept(channel, { identity }),
    });
    onTestFinished(async () => {
      await server.shutdown();
      await listener.close(100);
      rmSync(directory, { recursive: true });
    });
    const path = join(directory, 'file');
    writeFileSync(path, Buffer.alloc(8 * MIB, 'x'));
    const socket = await connectRaw(listener.url);
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }, 5);
    onTestFinished(() => clearInterval(sampler));

    const count = 40;
    socket.pause();
    for (let id = 1; id <= count; id += 1) {
      socket.send(JSON.stringify({ id, method: 'fs/readFile', params: { path } }));
    }
    await new Promise((resolve) => setTimeout(resolve, 1500));
    clearInterval(sampler);
    // All of them would be 320 MiB of file and 427 MiB of base64.
    expect(peak).toBeLessThan(256 * MIB);

    const answered = new Promise<number>((resolve) => {
      let answers = 0;
      socket.on('close', () => resolve(answers));
      socket.on('message', (data) => {
        if ((data as Buffer).length > 8 * MIB) answers += 1;
        if (answers === count) resolve(answers);
      });
    });
    socket.resume();
    expect(await answered).toBe(count);
  });
});
