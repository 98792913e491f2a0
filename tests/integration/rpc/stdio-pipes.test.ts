import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type ChannelClose, RpcPeer } from '@codex/exec-rpc';
import { createStdioChannel } from '@codex/exec-rpc/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';

function start(command: string, ...args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(command, args);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('stdio over real pipes', () => {
  it('carries a line of almost 64 MiB there and back', async () => {
    const cat = start('cat');
    const channel = createStdioChannel({ input: cat.stdout, output: cat.stdin });
    const text = JSON.stringify(`ü€🎉${'x'.repeat(64 * 1024 * 1024 - 100)}`);
    const echoed = await new Promise<string>((resolve, reject) => {
      channel.start({
        message: resolve,
        drained: () => {},
        closed: ({ reason }) => reject(new Error(reason)),
      });
      channel.send(text);
    });
    expect(echoed === text).toBe(true);
    channel.close();
  });

  it('keeps order and loses nothing in a flood that the reader takes slowly', async () => {
    const slow = start('sh', '-c', 'sleep 0.3; cat');
    const channel = createStdioChannel({ input: slow.stdout, output: slow.stdin });
    const ids: number[] = [];
    const done = new Promise<void>((resolve) => {
      channel.start({
        message: (text) => {
          ids.push(JSON.parse(text).id);
          if (ids.length === 20_000) resolve();
        },
        drained: () => {},
        closed: () => {},
      });
    });
    for (let id = 0; id < 20_000; id++) channel.send(JSON.stringify({ id, padding: 'x'.repeat(100) }));
    expect(channel.bufferedBytes).toBeGreaterThan(1_000_000);
    await done;
    expect(ids).toEqual(Array.from({ length: 20_000 }, (_, id) => id));
    expect(channel.bufferedBytes).toBe(0);
    channel.close();
  });

  it('ends pending calls when the program on the other side dies', async () => {
    const child = start('sleep', '30');
    const channel = createStdioChannel({ input: child.stdout, output: child.stdin });
    const peer = new RpcPeer(channel, { onRequest: () => null, onNotification: () => {} });
    const call = peer.call('anything', {});
    child.kill('SIGKILL');
    await expect(call).rejects.toMatchObject({ code: 'RPC_CLOSED' });
    const info: ChannelClose = await peer.closed;
    expect(info.reason).not.toBe('');
  });

  it('gives a reader that is slow, but reads, all of the rest after the end', async () => {
    const script = '{ for i in 1 2 3 4; do head -c 400000; sleep 1; done; cat; } | wc -c >&2';
    const slow = start('sh', '-c', script);
    const channel = createStdioChannel({ input: slow.stdout, output: slow.stdin });
    channel.start({ message: () => {}, drained: () => {}, closed: () => {} });
    channel.send('x'.repeat(2_999_999));
    channel.close();
    const [counted] = (await once(slow.stderr, 'data')) as [Buffer];
    expect(Number(String(counted))).toBe(3_000_000);
  });
});
