// Two ends of every kind of channel there is.

import { PassThrough } from 'node:stream';
import { Executor, FleetCaller, FleetSession } from '@codex/exec-fleet';
import { WebSocketListener } from '@codex/exec-listener';
import { type Channel, createInMemoryChannelPair } from '@codex/exec-rpc';
import { createStdioChannel } from '@codex/exec-rpc/stdio';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { startBroker } from './broker.js';

export interface ChannelPair {
  readonly near: Channel;
  readonly far: Channel;
  /** Ends the transport under the near end without a goodbye; absent where there is nothing under it. */
  readonly cut?: () => void;
  dispose(): Promise<void>;
}

export const CHANNEL_KINDS: Readonly<Record<string, () => Promise<ChannelPair>>> = {
  memory: async () => {
    const [near, far] = createInMemoryChannelPair();
    return { near, far, dispose: async () => undefined };
  },
  stdio: async () => {
    // Two streams each way: as with a pipe, the end of one side is not the end of the other.
    const [there, back] = [new PassThrough(), new PassThrough()];
    const near = createStdioChannel({ input: back.pipe(new PassThrough()), output: there });
    const far = createStdioChannel({ input: there.pipe(new PassThrough()), output: back });
    return { near, far, dispose: async () => undefined };
  },
  websocket: async () => {
    let arrived: (channel: Channel) => void = () => undefined;
    const far = new Promise<Channel>((resolve) => {
      arrived = resolve;
    });
    const listener = await WebSocketListener.listen({
      host: '127.0.0.1',
      port: 0,
      onChannel: (channel) => arrived(channel),
    });
    const near = await connectWebSocket(listener.url, {});
    return {
      near,
      far: await far,
      cut: () => Reflect.get(near, 'terminate').call(near, 'cut'),
      dispose: () => listener.close(),
    };
  },
  nats: () => natsPair(),
  'nats with small messages': () => natsPair('max_payload: 65536'),
};

async function natsPair(config = ''): Promise<ChannelPair> {
  const broker = await startBroker({ config });
  const executor = await Executor.join({
    broker: broker.url,
    environment: 'test',
    maxSessions: 4,
    sessionTtlMs: 1000,
    maxSessionTtlMs: 1000,
    version: 'test',
    onFailure: () => undefined,
  });
  let arrived: (channel: Channel) => void = () => undefined;
  const far = new Promise<Channel>((resolve) => {
    arrived = resolve;
  });
  await executor.serve({
    accept: (channel) => {
      arrived(channel);
      return { closed: new Promise(() => undefined) };
    },
  });
  const caller = await FleetCaller.connect({
    broker: broker.url,
    name: 'test',
    role: 'c',
    budgetBytes: 64 * 1024 * 1024,
  });
  const session = new FleetSession({ caller, environment: 'test' });
  const near = await session.open(new AbortController().signal, null);
  return {
    near,
    far: await far,
    cut: () => void caller.link.close(),
    dispose: async () => {
      await caller.close();
      await executor.leave();
      await broker.stop();
    },
  };
}
