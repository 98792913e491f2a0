// A start that waits for the profile and is no longer wanted, and requests that were sent behind it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { survivorsWith } from '../process/support/ps.js';
import { LoginShell } from './support/login-shell.js';

const hanging = (mark: string) => `[ -e ~/quick ] || MARK=${mark} sleep 300; export A=1`;

async function untilHanging(mark: string): Promise<void> {
  while (survivorsWith(`MARK=${mark}`).length === 0) await delay(20);
}

async function untilGone(mark: string): Promise<void> {
  while (survivorsWith(`MARK=${mark}`).length > 0) await delay(20);
}

describe('process/terminate', () => {
  it('cancels a start that waits for the profile, and ends the profile', async () => {
    const shell = await LoginShell.open(hanging('unwanted'));
    const started = shell.start('a', 'touch ~/ran');
    await untilHanging('unwanted');
    const begin = performance.now();
    expect(await shell.client.call('process/terminate', { processId: 'a' })).toEqual({ running: true });
    expect((await started).error).toEqual({ code: -32600, message: 'process a start was cancelled' });
    expect(performance.now() - begin).toBeLessThan(1_000);
    await untilGone('unwanted');
    expect(await shell.client.call('process/list', {})).toEqual({ processes: [] });
    // The id is free, and nothing is remembered of a profile that was not let finish.
    writeFileSync(join(shell.home, 'quick'), '');
    expect((await shell.start('a', 'ls ~/ran 2>&1; echo $A')).error).toBeUndefined();
    expect((await shell.outcome('a')).stdout).toContain('No such file or directory\n1\n');
    expect(shell.profileRuns).toBe(2);
  });

  it('of one of two starts leaves the profile to the other', async () => {
    const shell = await LoginShell.open('MARK=shared sleep 1.5; export A=1');
    const first = shell.start('a', 'echo $A');
    const second = shell.start('b', 'echo $A');
    await untilHanging('shared');
    await shell.client.call('process/terminate', { processId: 'a' });
    expect((await first).error?.message).toBe('process a start was cancelled');
    expect(survivorsWith('MARK=shared')).not.toEqual([]);
    expect((await second).error).toBeUndefined();
    expect((await shell.outcome('b')).stdout).toBe('1\n');
    expect(shell.profileRuns).toBe(1);
  });

  it('sent together with its start cancels it; with a known profile the command starts and is ended', async () => {
    const shell = await LoginShell.open('export A=1');
    const first = shell.start('a', 'sleep 300');
    expect(await shell.client.call('process/terminate', { processId: 'a' })).toEqual({ running: true });
    expect((await first).error?.message).toBe('process a start was cancelled');
    await shell.run('true');
    const second = shell.start('b', 'sleep 300');
    expect(await shell.client.call('process/terminate', { processId: 'b' })).toEqual({ running: true });
    expect((await second).error).toBeUndefined();
    expect((await shell.outcome('b')).exitCode).toBe(137);
  });

  it('of all starts that wait ends with the session as well', async () => {
    const shell = await LoginShell.open(hanging('ends-with-session'));
    const started = shell.start('a', 'echo never');
    await untilHanging('ends-with-session');
    void shell.client.call('process/terminate', { processId: 'a' });
    await started;
    await shell.close();
    expect(survivorsWith('MARK=ends-with-session')).toEqual([]);
  });
});

describe('requests behind a start that waits for the profile', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it('act in their order', async () => {
    const shell = await LoginShell.open('sleep 0.4; export A=1');
    const { client } = shell;
    const replies = Promise.all([
      shell.start('a', 'cat; echo $A', { more: { pipeStdin: true } }),
      client.request('process/write', { processId: 'a', chunk: base64('one ') }),
      client.request('process/write', { processId: 'a', chunk: base64('two ') }),
      client.request('process/closeStdin', { processId: 'a' }),
      client.request('process/write', { processId: 'a', chunk: base64('late ') }),
    ]);
    expect((await replies).map(({ result }) => result)).toEqual([
      { processId: 'a', sandboxType: 'none' },
      { status: 'accepted' },
      { status: 'accepted' },
      {},
      { status: 'stdinClosed' },
    ]);
    expect((await shell.outcome('a')).stdout).toBe('one two 1\n');
  });

  it('are answered for a process that is not there when it was cancelled', async () => {
    const shell = await LoginShell.open(hanging('cancelled-behind'));
    const { client } = shell;
    const started = shell.start('a', 'cat', { more: { pipeStdin: true } });
    await untilHanging('cancelled-behind');
    const written = client.request('process/write', { processId: 'a', chunk: base64('x') });
    const read = client.request('process/read', { processId: 'a', waitMs: 20_000 });
    void client.request('process/terminate', { processId: 'a' });
    expect((await started).error?.message).toBe('process a start was cancelled');
    expect((await written).result).toEqual({ status: 'unknownProcess' });
    expect((await read).error?.message).toBe('unknown process id a');
    await untilGone('cancelled-behind');
  });

  it('stay in force when their connection breaks and the session is resumed', async () => {
    const shell = await LoginShell.open('sleep 0.6; export A=1');
    void shell.start('a', 'read line; echo "$line $A"', { more: { pipeStdin: true } });
    void shell.client.request('process/write', { processId: 'a', chunk: base64('hello\n') });
    await delay(150);
    shell.client.cut();
    await shell.resume();
    const { processes } = await shell.client.call<{ processes: { processId: string }[] }>('process/list', {});
    expect(processes.map(({ processId }) => processId)).toEqual(['a']);
    expect((await shell.outcome('a')).stdout).toBe('hello 1\n');
    expect((await shell.run('echo $A')).stdout).toBe('1\n');
    expect(shell.profileRuns).toBe(1);
  });
});
