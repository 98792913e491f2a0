// What a client is told when a program outside takes away what covers a name for a running command: the command is ended, and its end
// says so wherever an end is told.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { WatchEvent } from '@codex/exec-client';
import { workspaceWrite } from '@codex/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { observedServer } from '../observe/support/observed-server.js';
import type { RawClient } from '../process/support/raw-client.js';
import { serve } from '../process/support/served-server.js';
import { workspaceSandbox } from './support/policies.js';

let workspace = '';
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(homedir(), '.exec-sandbox-test-')));
  mkdirSync(join(workspace, '.git'));
  writeFileSync(join(workspace, 'secret'), 'old');
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const denied = () => ({ path: { type: 'path', path: join(workspace, 'secret') }, access: 'deny' });

async function start(client: RawClient, processId: string, more: object): Promise<void> {
  await client.call('process/start', {
    processId,
    argv: ['/bin/sh', '-c', 'printf begun; touch ready; while :; do sleep 0.05; done'],
    cwd: workspace,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    tty: false,
    sandbox: workspaceSandbox(workspace, { entries: [denied()] }),
    ...more,
  });
  await expect.poll(() => existsSync(join(workspace, 'ready'))).toBe(true);
}

function replaceSecret(): void {
  writeFileSync(join(workspace, 'new'), 'new');
  renameSync(join(workspace, 'new'), join(workspace, 'secret'));
}

describe.each([{ tty: false }, { tty: true, size: { rows: 24, cols: 80 } }])(
  'a command that was stopped: %j',
  (io) => {
    it('says why, to people and to programs', async () => {
      const client = await (await serve()).client();
      const { capabilities } = await client.call<{ capabilities: Record<string, boolean> }>(
        'environment/info',
        {},
      );
      expect(capabilities['sandboxStops']).toBe(true);
      await start(client, 'p', io);
      replaceSecret();
      const stopped = { reason: 'protection_lost', path: join(workspace, 'secret') };
      const waited = await client.call('process/wait', { processId: 'p', until: 'closed' });
      expect(waited).toMatchObject({ exitCode: 137, sandboxDenied: false, stopped });
      const read = await client.call<{ chunks: { chunk: string }[] }>('process/read', { processId: 'p' });
      expect(read).toMatchObject({ exitCode: 137, failure: null, stopped });
      const text = read.chunks.map(({ chunk }) => Buffer.from(chunk, 'base64').toString()).join('');
      expect(text.replaceAll('\r', '')).toMatch(
        /^begun\n*exec-server: stopped: \/.*\/secret was replaced, removed or moved .*\n$/,
      );
      expect(client.eventsOf('p').find(({ method }) => method === 'process/exited')).toMatchObject({
        stopped,
      });
      const { processes } = await client.call<{ processes: unknown[] }>('process/list', {});
      expect(processes).toMatchObject([{ processId: 'p', stopped }]);
    });
  },
);

it('is seen by its own client, by observers and in the journal', async () => {
  await using server = await observedServer();
  const owner = await server.owner();
  const script = 'touch ready; while :; do sleep 0.05; done';
  const process = await owner.spawn(script, {
    cwd: workspace,
    sandbox: workspaceWrite({ deny: [join(workspace, 'secret')] }),
  });
  await expect.poll(() => existsSync(join(workspace, 'ready'))).toBe(true);
  const observer = await server.observer();
  const [{ session = '', process: summary } = {}] = (await observer.processes()).processes;
  const watch = await observer.watch({ session, processId: summary?.processId ?? '' });
  replaceSecret();
  const stopped = { reason: 'protection_lost', path: join(workspace, 'secret') };
  expect(await process.wait()).toMatchObject({ kind: 'exited', exitCode: 137, signal: 'SIGKILL', stopped });
  const events: WatchEvent[] = [];
  for await (const event of watch) {
    events.push(event);
    if (event.type === 'closed') break;
  }
  expect(events.find(({ type }) => type === 'exited')).toMatchObject({ exitCode: 137, stopped });
  const { events: told } = await observer.readJournal();
  expect(told.find(({ kind }) => kind === 'processExited')).toMatchObject({ exitCode: 137, stopped });
});

it('runs again at once, in a sandbox that holds', async () => {
  const client = await (await serve()).client();
  for (const processId of ['one', 'two', 'three']) {
    await start(client, processId, {});
    replaceSecret();
    const waited = await client.call('process/wait', { processId, until: 'closed' });
    expect(waited).toMatchObject({ stopped: { path: join(workspace, 'secret') } });
    rmSync(join(workspace, 'ready'));
  }
  await client.call('process/start', {
    processId: 'four',
    argv: ['/bin/sh', '-c', 'cat secret; exit 5'],
    cwd: workspace,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
    tty: false,
    sandbox: workspaceSandbox(workspace, { entries: [denied()] }),
  });
  expect(await client.call('process/wait', { processId: 'four' })).toMatchObject({ exitCode: 5 });
});

it('is the end of those that are concerned, and of no other', async () => {
  const client = await (await serve()).client();
  await start(client, 'concerned', {});
  await client.call('process/start', {
    processId: 'spared',
    argv: ['/bin/sh', '-c', 'sleep 2.2; exit 4'],
    cwd: workspace,
    env: { PATH: '/usr/bin:/bin' },
    tty: false,
    sandbox: workspaceSandbox(workspace),
  });
  replaceSecret();
  execFileSync('touch', [join(workspace, '.git', 'index')]);
  expect(await client.call('process/wait', { processId: 'concerned' })).toMatchObject({ exitCode: 137 });
  const spared = await client.call('process/wait', { processId: 'spared' });
  expect(spared).toMatchObject({ exitCode: 4 });
  expect(spared['stopped']).toBeUndefined();
});
