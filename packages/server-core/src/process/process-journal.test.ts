import { describe, expect, it } from 'vitest';
import { settle } from '../../test-support/manual-clock.js';
import { RecordingPeer } from '../../test-support/recording-peer.js';
import { setUpTable } from '../../test-support/scripted-table.js';

function setUp() {
  const lines: { message: string; fields: Record<string, unknown> }[] = [];
  const take = (message: string, fields = {}) => void lines.push({ message, fields });
  const logger = { debug: take, info: take, warn: take, error: take };
  const parts = setUpTable({}, undefined, logger);
  const client = { peer: new RecordingPeer().asPeer, lifecycleNotifications: false, clientName: 'codex-tui' };
  parts.table.attach(client);
  return { ...parts, lines };
}

describe('the log', () => {
  it('names a command that was started, for whom and what for, and how it ended', async () => {
    const { start, launcher, lines } = setUp();
    await start('p', {
      argv: ['/usr/bin/curl', '-H', 'Authorization: secret'],
      env: { TOKEN: 'secret' },
      metadata: { threadId: 't1', toolCallId: 'c1' },
    });
    launcher.last.finish(3);
    await settle();
    const who = {
      client: 'codex-tui',
      process: 'p',
      program: '/usr/bin/curl',
      thread: 't1',
      toolCall: 'c1',
      pid: 1000,
    };
    expect(lines).toMatchObject([
      { message: 'a process was started', fields: { ...who, cwd: '/', sandbox: 'none' } },
      { message: 'a process exited', fields: { ...who, exitCode: 3, sandboxDenied: false } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('names one that was not, and cuts names that are endless', async () => {
    const { start, launcher, lines } = setUp();
    launcher.failure = new Error('no');
    await expect(start('p'.repeat(1000), { argv: ['x'.repeat(5000)] })).rejects.toThrow();
    expect(lines).toMatchObject([{ message: 'a process could not be started' }]);
    expect(String(lines[0]?.fields['process']).length).toBe(201);
    expect(String(lines[0]?.fields['program']).length).toBe(201);
  });
});
