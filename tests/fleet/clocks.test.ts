// Clocks that are set while the fleet works. Nothing may be lost by it, and nobody may wait for the time that it took away.

import { fileURLToPath } from 'node:url';
import { ExecServerClient } from '@codex/exec-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { isFull } from './support/full.js';
import { type Program, startExecutor } from './support/programs.js';

const PRELOAD = fileURLToPath(new URL('./support/settable-clock.mjs', import.meta.url));
const FORWARD = 'SIGUSR2';
const BACK = 'SIGPWR';

let broker: Broker;
let machine: Program;
let client: ExecServerClient;
const events: string[] = [];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe.skipIf(!isFull)('the clock of a machine', () => {
  beforeEach(async () => {
    broker = await startBroker();
    machine = await startExecutor(broker.url, 'x1', [], { NODE_OPTIONS: `--import=${PRELOAD}` });
    events.length = 0;
    client = await ExecServerClient.connect(broker.url, {
      environment: 'test',
      onEvent: ({ type }) => events.push(type),
    });
  });
  afterEach(async () => {
    await client.close();
    await machine.stop();
    await broker.stop();
  });

  it.each([FORWARD, BACK] as const)(
    'may be set by an hour (%s): the session stays, and no channel breaks',
    async (signal) => {
      const cat = await client.spawn(['cat'], { stdin: 'pipe' });
      machine.signal(signal);
      await pause(1500);
      await cat.stdin.write('still here\n');
      await cat.waitFor('still here');
      expect(events).toEqual(['connected']);
    },
  );

  it('may be set back before the broker dies: it is dialled again at once', async () => {
    const cat = await client.spawn(['cat'], { stdin: 'pipe' });
    machine.signal(BACK);
    await pause(700);
    await broker.kill();
    await broker.restart();
    await cat.stdin.write('still here\n');
    await cat.waitFor('still here');
    expect(events).toEqual(['connected', 'reconnecting', 'reconnected']);
  });
});
