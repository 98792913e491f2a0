// What a machine can do that keeps to no rule, to its client and to a gateway: it has credentials of its own, and may end its own
// channels, and nothing else.

import { ExecServerClient } from '@codex/exec-client';
import { connect } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { type Machine, startMachine } from './support/machines.js';
import { type Program, startGateway } from './support/programs.js';
import { KIND, type RawChannel } from './support/raw-caller.js';
import { type RawMachine, startRawMachine } from './support/raw-machine.js';

let broker: Broker;
let honest: Machine;
let gateway: Program;
let hostile: RawMachine;
let attack: (channel: RawChannel) => void = () => undefined;

beforeAll(async () => {
  broker = await startBroker();
  honest = await startMachine({ broker: broker.url, name: 'x1', environment: 'test' });
  gateway = await startGateway(broker.url, ['--log-level', 'info']);
  hostile = await startRawMachine(broker.url, {
    onChannel: (channel) => {
      attack(channel);
    },
  });
});
afterAll(async () => {
  await hostile.close();
  await gateway.stop();
  await honest.stop();
  await broker.stop();
});

const goodbye = (close: unknown) => (channel: RawChannel) =>
  channel.send({ kind: KIND.close, payload: Buffer.from(JSON.stringify(close)) });

it.each<[string, (channel: RawChannel) => void]>([
  ['leaves with a code that no websocket has', goodbye({ code: 99_999, reason: 'bye' })],
  ['leaves with a code that is reserved', goodbye({ code: 1005, reason: 'bye' })],
  ['leaves with a code that is no whole number', goodbye({ code: 1000.5, reason: 'bye' })],
  ['leaves with a negative code', goodbye({ code: -1, reason: 'bye' })],
  [
    'leaves with more words than a close frame has room for',
    goodbye({ code: 1000, reason: 'ä'.repeat(5000) }),
  ],
  ['leaves with words that are none', goodbye({ code: 1000, reason: { toString: 1 } })],
  ['sends text that is none', (channel) => channel.send({ payload: Buffer.from([0, 0, 0, 2, 0xff, 0xfe]) })],
  ['sends a message too long', (channel) => channel.send({ payload: Buffer.alloc(8, 0x7f) })],
  ['resets', (channel) => channel.send({ kind: KIND.reset })],
])('a machine that %s ends its own client at most', async (_, what) => {
  attack = what;
  for (const url of [`${gateway.line}/e/test/m/raw`, broker.url]) {
    const more = url === broker.url ? { environment: 'test', machine: 'raw' } : {};
    await expect(
      ExecServerClient.connect(url, { ...more, reconnect: false, connectTimeoutMs: 2000 }),
    ).rejects.toThrow();
  }
  const client = await ExecServerClient.connect(`${gateway.line}/e/test/m/x1`);
  expect((await client.run('echo undisturbed')).stdout.text).toBe('undisturbed\n');
  await client.close();
  expect(gateway.stderr()).not.toContain('Error:');
});

it('a machine that hears what others are asked cannot speak in their place', async () => {
  const forger = await connect({ servers: broker.url, noEcho: true });
  const frame = (kind: number, payload: Buffer): Buffer => {
    const header = Buffer.alloc(24);
    header.writeUInt8(1, 0);
    header.writeUInt8(kind, 1);
    header.writeDoubleBE(1_000_000, 16);
    return Buffer.concat([header, payload]);
  };
  let heard = 0;
  forger.subscribe('exec.v1.test.open.*.*', {
    callback: (_error, { reply = '' }) => {
      heard++;
      // At once, and while the client works.
      for (const after of [0, 1, 5, 20])
        setTimeout(() => {
          forger.publish(reply, frame(KIND.reset, Buffer.alloc(0)));
          forger.publish(reply, frame(KIND.data, Buffer.from([0, 0, 0, 2, 0x7b, 0x7d])));
        }, after);
    },
  });
  await hostile.close();
  await forger.flush();
  for (const [url, more] of [
    [broker.url, { environment: 'test' }],
    [`${gateway.line}/e/test`, {}],
  ] as const)
    for (let round = 0; round < 10; round++) {
      const events: string[] = [];
      const client = await ExecServerClient.connect(url, {
        ...more,
        onEvent: ({ type }) => events.push(type),
      });
      expect((await client.run('sleep 0.1; echo honest')).stdout.text).toBe('honest\n');
      await client.close();
      expect(events).not.toContain('reconnecting');
    }
  expect(heard).toBeGreaterThanOrEqual(20);
  await forger.close();
});
