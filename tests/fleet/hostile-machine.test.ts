// What a machine can do that keeps to no rule, to its client and to a gateway: it has credentials of its own, and may end its own
// channels, and nothing else.

import { ExecServerClient } from '@codex/exec-client';
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
