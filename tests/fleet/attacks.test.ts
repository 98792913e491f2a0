// What a caller can do that keeps to no rule: wrong frames, false windows, stolen names, crowds. It may end its own channel,
// and nothing else.

import { ExecServerClient } from '@codex/exec-client';
import { BrokerLink, Inventory } from '@codex/exec-fleet';
import { connect } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { type Machine, startMachine } from './support/machines.js';
import { residentMib } from './support/process-cost.js';
import { startExecutor } from './support/programs.js';
import { KIND, RawCaller, type RawChannel } from './support/raw-caller.js';
import { until } from './support/until.js';

const INITIALIZE = '{"id":1,"method":"initialize","params":{"clientName":"raw"}}';
const MIB = 1024 * 1024;

let broker: Broker;
let machine: Machine;
let raw: RawCaller;
let bystander: ExecServerClient;
let count = 0;
const cuts: string[] = [];

beforeAll(async () => {
  broker = await startBroker();
  machine = await startMachine({ broker: broker.url, name: 'x1', maxSessions: 8 });
  raw = await RawCaller.connect(broker.url);
  bystander = await ExecServerClient.connect(broker.url, {
    environment: 'test',
    onEvent: ({ type }) => {
      if (type === 'reconnecting') cuts.push(type);
    },
  });
});
afterAll(async () => {
  await bystander.close();
  await raw.close();
  await machine.stop();
  await broker.stop();
});
// Whatever was done, somebody else works on undisturbed.
afterEach(async () => {
  expect((await bystander.run(['echo', 'undisturbed'])).stdout.text).toBe('undisturbed\n');
  expect(machine.failures).toEqual([]);
  expect(cuts).toEqual([]);
});

const freshId = (): string => `channel${++count}`;
const initialized = async (): Promise<RawChannel> => {
  const channel = await raw.open(freshId());
  channel.message(INITIALIZE, { granted: 262_144 });
  await until(() => channel.text.includes('sessionId'));
  return channel;
};

describe('a frame', () => {
  const question = Buffer.from([0, 0, 0, 0, 1]);
  it.each<[string, (channel: RawChannel) => void]>([
    ['out of order', (channel) => channel.send({ kind: KIND.credit, seq: 7 })],
    [
      'twice',
      (channel) => {
        channel.send({ kind: KIND.ping, seq: 1, payload: question });
        channel.send({ kind: KIND.ping, seq: 1, payload: question });
      },
    ],
    ['of another version', (channel) => channel.send({ version: 9 })],
    ['of an unknown kind', (channel) => channel.send({ kind: 77 })],
    ['with a count that is no number', (channel) => channel.send({ granted: Number.NaN })],
    ['with a negative count', (channel) => channel.send({ read: -1 })],
    ['with more than was granted', (channel) => channel.send({ payload: Buffer.alloc(300 * 1024) })],
    ['that announces a message without end', (channel) => channel.send({ payload: Buffer.alloc(8, 0xff) })],
    ['with bytes that are no text', (channel) => channel.send({ payload: Buffer.from([0, 0, 0, 1, 0xff]) })],
    ['that asks nothing', (channel) => channel.send({ kind: KIND.ping, payload: Buffer.alloc(2) })],
    ['that answers nothing', (channel) => channel.send({ kind: KIND.pong, payload: Buffer.alloc(9) })],
  ])('%s ends its channel', async (_, attack) => {
    const channel = await initialized();
    attack(channel);
    await until(() => channel.isOver);
  });

  it('with a close that is no JSON is a goodbye', async () => {
    const channel = await initialized();
    const sessions = machine.executor.sessions;
    channel.send({ kind: KIND.close, payload: Buffer.from('{{{') });
    await until(() => machine.executor.sessions === sessions - 1);
  });
});

it('a false window moves no more than what may be unread', async () => {
  const channel = await initialized();
  const granted = Number.MAX_SAFE_INTEGER;
  channel.message('{"method":"initialized"}', { granted });
  channel.message(
    '{"id":2,"method":"process/start","params":{"processId":"p","argv":["yes"],"cwd":"/","env":{"PATH":"/usr/bin:/bin"},"tty":false}}',
    { granted, read: granted },
  );
  await until(() => channel.dataBytes > 100_000);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(channel.dataBytes).toBeLessThan(16 * MIB);
  channel.send({ kind: KIND.close });
});

describe('a caller', () => {
  it('that came to take a session up opens none', async () => {
    const channel = await raw.open(freshId(), { resumes: true }, { machine: 'x1' });
    channel.message(INITIALIZE, { granted: 262_144 });
    await until(() => channel.text.includes('was let in to take a session up'));
    channel.send({ kind: KIND.close });
  });

  it('cannot have one channel twice', async () => {
    const id = freshId();
    await raw.open(id);
    const other = await raw.ask('elsewhere', { channel: id });
    expect(other?.text).toContain('a channel of this name is open');
  });

  it.each([
    ['another version', { v: 2 }],
    ['a channel that is no word', { channel: 'a.b' }],
    ['a channel at which it asks itself', { channel: 'open' }],
    ['a window that is none', { window: -5 }],
    ['a principal that is none', { principal: { identity: 7 } }],
  ])('that asks with %s is refused', async (_, request) => {
    expect((await raw.ask('asks', request))?.text).toContain('"refused"');
  });

  it('that wants its frames answered to somebody else loses its channel', async () => {
    const { channelCount } = machine.executor;
    const id = freshId();
    const answer = await raw.ask(id, {});
    const connection = await connect({ servers: broker.url });
    const heard: string[] = [];
    connection.subscribe('exec.v1.test.r.c.other.>', {
      callback: (_error, { subject }) => void heard.push(subject),
    });
    const ping = Buffer.alloc(29);
    ping.writeUInt8(1, 0);
    ping.writeUInt8(KIND.ping, 1);
    connection.publish(answer?.reply ?? '', ping, { reply: 'exec.v1.test.r.c.other.i.c' });
    await until(() => machine.executor.channelCount === channelCount);
    await connection.flush();
    expect(heard).toEqual([]);
    await connection.close();
  });

  it('that wants the answer sent to somebody else gets none', async () => {
    const asked = raw.ask(freshId(), {}, { reply: 'exec.v1.test.r.c.other.i.c', withinMs: 300 });
    await expect(asked).rejects.toThrow('not true within');
  });

  it.each([
    ['so long that the broker would cut the machine off for it', 'w'.repeat(4014)],
    ['of more words than there are', 'c.more'],
  ])('that wants the answer at a subject %s gets none', async (_, tail) => {
    const asked = raw.ask(tail, { channel: 'c'.repeat(64) }, { machine: 'x1', withinMs: 300 });
    await expect(asked).rejects.toThrow('not true within');
  });
});

describe('a session id', () => {
  it.each([
    ['of no form', 'nonsense'],
    ['with a machine that is a wildcard', '*~boot~00000000-0000-4000-8000-000000000000'],
    ['with a machine that is a subject', 'x1.c.anonymous~boot~00000000-0000-4000-8000-000000000000'],
    ['of an earlier life of the machine', 'x1~000000000000~00000000-0000-4000-8000-000000000000'],
    ['with too many parts', 'x1~boot~a~b'],
  ])('%s is unknown', async (_, sessionId) => {
    await expect(
      ExecServerClient.connect(broker.url, { environment: 'test', resume: { sessionId } }),
    ).rejects.toMatchObject({ code: 'session.unknown' });
  });

  it('of a machine that does not exist is lost', async () => {
    const sessionId = 'x9~000000000000~00000000-0000-4000-8000-000000000000';
    await expect(
      ExecServerClient.connect(broker.url, {
        environment: 'test',
        resume: { sessionId },
        fleet: { lossGraceMs: 200 },
      }),
    ).rejects.toThrow('machine x9 is not connected to the broker any more');
  });
});

it('a machine that drains does not wait for a caller who was let in and never became a session', async () => {
  const leaving = await startMachine({ broker: broker.url, environment: 'leaving', name: 'x3' });
  const hesitant = await RawCaller.connect(broker.url, 'leaving');
  const channel = await hesitant.open(freshId());
  const drained = leaving.executor.drain(60_000).then(() => 'drained');
  channel.send({ kind: KIND.close });
  const patience = new Promise((resolve) => setTimeout(() => resolve('still waiting'), 3000));
  expect(await Promise.race([drained, patience])).toBe('drained');
  await hesitant.close();
  await leaving.stop();
});

it('a machine of an environment that is no name is not listed: its name would be read as more than a name', async () => {
  const link = await BrokerLink.connect({ broker: broker.url, name: 'observer' });
  const inventory = new Inventory(link);
  await link.flush();
  const connection = await connect({ servers: broker.url });
  for (const environment of ['fine', 'no"name}', 'tricky\\']) {
    const beat = {
      v: 1,
      environment,
      executor: 'x1',
      boot: 'b',
      startedAt: 1,
      state: 'serving',
      sessions: 0,
      maxSessions: 1,
      channels: 0,
      version: '1',
      host: 'h',
    };
    connection.publish(`exec.v1.${environment}.beat.x1`, JSON.stringify(beat));
  }
  await connection.flush();
  await until(() => inventory.list().some(({ environment }) => environment === 'fine'));
  const listed = inventory.list().map(({ environment }) => environment);
  expect(listed.filter((environment) => environment !== 'test')).toEqual(['fine']);
  await connection.close();
  await link.close();
});

describe('many callers', () => {
  it('of one identity that say nothing leave room for everybody else', async () => {
    const gateway = await RawCaller.connect(broker.url, 'test', 'g');
    const principal = { identity: 'jwt:crowd' };
    const answers: (string | undefined)[] = [];
    for (let index = 0; index < 100; index++) {
      answers.push((await gateway.ask(freshId(), { resumes: true, principal }, { machine: 'x1' }))?.text);
    }
    expect(answers.filter((text) => text?.includes('"full"')).length).toBeGreaterThan(10);
    const client = await ExecServerClient.connect(broker.url, {
      environment: 'test',
      fleet: { acquireTimeoutMs: 300 },
    });
    expect((await client.run('echo room')).stdout.text).toBe('room\n');
    await client.close();
    await gateway.close();
  });

  it('that say nothing are turned away, and those who were there stay', async () => {
    const answers: (string | undefined)[] = [];
    for (let index = 0; index < 100; index++) {
      answers.push((await raw.ask(freshId(), { resumes: true }, { machine: 'x1' }))?.text);
    }
    expect(answers.filter((text) => text?.includes('"full"')).length).toBeGreaterThan(10);
    expect(machine.executor.channelCount).toBeLessThanOrEqual(2 * 8 + 64);
  });
});

it('messages that never end cost a machine no more than its room for them, and hold up nobody for long', async () => {
  const environment = { environment: 'crowded' };
  const program = await startExecutor(broker.url, 'x2', ['--environment', 'crowded', '--max-sessions', '32']);
  const hostile = await RawCaller.connect(broker.url, 'crowded');
  const before = residentMib(program.pid);
  const announced = Buffer.from([0x04, 0, 0, 0]);
  const channels = await Promise.all(
    Array.from({ length: 60 }, () => hostile.open(freshId(), { resumes: true }, { machine: 'x2' })),
  );
  const sent = channels.map(() => 4);
  for (const channel of channels) channel.send({ payload: announced });
  // As fast as it is let, up to 40 MiB into each of them.
  const block = Buffer.alloc(128 * 1024);
  let most = 0;
  for (const end = Date.now() + 6000; Date.now() < end; ) {
    for (const [index, channel] of channels.entries()) {
      const had = sent[index] ?? 0;
      const length = Math.min(block.length, channel.granted - had, 40 * MIB - had);
      if (length <= 0 || channel.isOver) continue;
      channel.send({ payload: block.subarray(0, length) });
      sent[index] = had + length;
    }
    most = Math.max(most, residentMib(program.pid));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  // Half of the room for one owner, and the windows.
  expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(250 * MIB);
  expect(most - before).toBeLessThan(450);
  const client = await ExecServerClient.connect(broker.url, environment);
  const file = Buffer.alloc(30 * MIB, 'whole');
  await client.fs.write('/tmp/fleet-room-test', file);
  expect((await client.run(['wc', '-c', '/tmp/fleet-room-test'])).stdout.text).toMatch(/^31457280 /);
  await client.run(['rm', '/tmp/fleet-room-test']);
  await client.close();
  await hostile.close();
  await program.stop();
});
