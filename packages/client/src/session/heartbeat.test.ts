import { describe, expect, it } from 'vitest';
import { setUp } from '../../test-support/scripted-client.js';
import { turns } from '../../test-support/scripted-server.js';
import { ExecServerClient } from '../exec-server-client.js';
import type { ConnectOptions } from './connect-options.js';

/** A client on channels that cannot tell a dead server from a silent one, as those of browsers. */
async function connectDeaf(options: ConnectOptions = {}) {
  const { server, clock } = setUp();
  const events: string[] = [];
  const channel = () => Object.assign(server.open(), { noticesDeath: false });
  const client = await ExecServerClient.connect(
    { channel },
    { clock, onEvent: ({ type }) => void events.push(type), ...options },
  );
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1000) {
      await clock.advance(1000);
      await turns(4);
    }
  };
  const asked = () => server.methods().filter((method) => method === 'environment/status').length;
  return { server, client, events, pass, asked };
}

describe('the heartbeat', () => {
  it('notices within 15 seconds that nobody answers, and takes the session up again', async () => {
    const { events, pass } = await connectDeaf();
    await pass(15_000);
    expect(events).toEqual(['connected', 'reconnecting', 'reconnected']);
  });

  it('leaves a server alone that answers, and asks it seldom', async () => {
    const { server, events, pass, asked } = await connectDeaf();
    server.answers['environment/status'] = () => ({ status: 'ready' });
    await pass(60_000);
    expect(events).toEqual(['connected']);
    expect(asked()).toBeGreaterThan(4);
    expect(asked()).toBeLessThanOrEqual(12);
  });

  it('asks nothing while messages come', async () => {
    const { server, events, pass, asked } = await connectDeaf();
    for (let second = 0; second < 30; second++) {
      server.notify('process/output', {});
      await pass(1000);
    }
    expect(asked()).toBe(0);
    expect(events).toEqual(['connected']);
  });

  it('is more patient with a server that may be busy with a request', async () => {
    const { client, events, pass } = await connectDeaf();
    void client.fs.stat('/x').catch(() => undefined);
    await pass(35_000);
    expect(events).toEqual(['connected']);
    await pass(25_000);
    expect(events).toContain('reconnecting');
  });

  it('can be set and switched off', async () => {
    const quick = await connectDeaf({ heartbeat: { timeoutMs: 3000 } });
    await quick.pass(3000);
    expect(quick.events).toContain('reconnecting');
    const off = await connectDeaf({ heartbeat: false });
    await off.pass(60_000);
    expect(off.events).toEqual(['connected']);
  });
});
