import { describe, expect, it } from 'vitest';
import { settle } from '../../test-support/manual-clock.js';
import { RecordingPeer } from '../../test-support/recording-peer.js';
import { setUpTable } from '../../test-support/scripted-table.js';
import type { ProcessLimits } from '../process/process-limits.js';
import { ClientRecovery } from './client-recovery.js';

function setUp(limits: Partial<ProcessLimits> = {}) {
  const parts = setUpTable(limits);
  const { clock, table } = parts;
  const recovery = new ClientRecovery({ clock, processes: table });
  const comeBack = (back: RecordingPeer): void => {
    table.attach({ peer: back.asPeer, lifecycleNotifications: false });
    recovery.begin();
  };
  return { ...parts, recovery, comeBack };
}

describe('a client that comes back', () => {
  it('is sent each process from where it has read, or after a while from where it was', async () => {
    const { clock, launcher, table, peer, start, recovery, comeBack } = setUp();
    const [read, unread] = [await start('read'), await start('unread')];
    for (const process of launcher.launched) process.say('one');
    peer.pull();
    table.detach();
    for (const process of launcher.launched) process.say('two');
    const back = new RecordingPeer();
    comeBack(back);
    await clock.advance(900);
    expect(back.pull()).toEqual([]);
    expect(recovery.isUnread(read)).toBe(true);
    recovery.read(read, 2);
    expect(recovery.isUnread(read)).toBe(false);
    expect(back.pull()).toEqual(['output 2 two']);
    await clock.advance(900);
    expect(back.pull()).toEqual([]);
    await clock.advance(101);
    expect(back.pull()).toEqual(['output 2 two']);
    expect(recovery.isUnread(unread)).toBe(false);
  });

  it('is heard first when the server was held up: its read waits behind the timer', async () => {
    const { clock, launcher, table, peer, start, recovery, comeBack } = setUp();
    const process = await start('p');
    launcher.last.say('one');
    peer.pull();
    table.detach();
    launcher.last.say('two');
    const back = new RecordingPeer();
    comeBack(back);
    await clock.advance(1000);
    expect(recovery.isUnread(process)).toBe(true);
    recovery.read(process, 1);
    expect(back.pull()).toEqual(['output 1 one', 'output 2 two']);
  });

  it('finds what ended meanwhile, and only then does its retention begin', async () => {
    const { clock, launcher, table, start, comeBack } = setUp({ exitedProcessRetentionMs: 100 });
    await start('p');
    table.detach();
    launcher.last.finish();
    await settle();
    await clock.advance(10_000);
    expect(table.get('p')?.state).toBe('closed');
    const back = new RecordingPeer();
    comeBack(back);
    await clock.advance(1001);
    expect(back.pull()).toEqual(['exited 1 0', 'closed 2']);
    await settle();
    await clock.advance(99);
    expect(table.get('p')).toBeDefined();
    await clock.advance(1);
    expect(table.get('p')).toBeUndefined();
  });
});
