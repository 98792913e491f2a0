import { describe, expect, it } from 'vitest';
import { setUp } from '../../../test-support/scripted-client.js';
import { turns } from '../../../test-support/scripted-server.js';

describe('the time of a command', () => {
  it('gives up on a start that is never answered', async () => {
    const { server, clock, connect } = setUp();
    const client = await connect();
    const running = client.run(['x'], { timeoutMs: 1000 });
    await turns();
    expect(server.methods()).toContain('process/start');
    await clock.advance(6000);
    const { ok, outcome } = await running;
    expect(ok).toBe(false);
    expect(outcome).toEqual({ kind: 'timedOut', exitCode: null, timeoutMs: 1000, started: 'unknown' });
    await turns();
    expect(server.methods()).toContain('process/terminate');
  });

  it('says of a command that was never asked for that it did not run', async () => {
    const { server, clock, connect } = setUp();
    const client = await connect();
    // Starts without an answer take all the room that there is for requests.
    for (let index = 0; index < 64; index++) void client.spawn(['x']).catch(() => undefined);
    const running = client.run(['last'], { timeoutMs: 1000 });
    await turns();
    await clock.advance(61_000);
    expect((await running).outcome).toEqual({
      kind: 'timedOut',
      exitCode: null,
      timeoutMs: 1000,
      started: false,
    });
    expect(JSON.stringify(server.heard)).not.toContain('last');
  });

  it('gives a command its whole time however long its start took', async () => {
    const { server, clock, connect } = setUp();
    let start = (): void => {};
    server.answers['process/start'] = () =>
      new Promise((resolve) => {
        start = () => resolve({ processId: 'p' });
      });
    const client = await connect();
    const running = client.run(['x'], { id: 'p', timeoutMs: 1000 });
    await turns();
    await clock.advance(5000);
    start();
    await turns();
    await clock.advance(900);
    server.notify('process/exited', { processId: 'p', seq: 1, exitCode: 0 });
    server.notify('process/closed', { processId: 'p', seq: 2 });
    expect((await running).outcome).toEqual({ kind: 'exited', exitCode: 0 });
  });
});
