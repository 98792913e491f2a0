// `fs/watch` under a restriction: the same reports as without one.
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../fs/support/fs-fixture.js';
import { childrenNamed, helperPids } from './support/helper-processes.js';
import { policyOf, setUpSandboxed, workspaceOnly } from './support/sandboxed-fs-fixture.js';
import {
  changesOf,
  fence,
  hasOverflow,
  nothing,
  notifications,
  type Policy,
  watching,
} from './support/watch-fixture.js';

describe('fs/watch in a sandbox', () => {
  it('reports what is created, changed, renamed and removed, in new directories too', async () => {
    const fixture = await watching((ws) => mkdirSync(join(ws, 'sub')));
    const { ws } = fixture;
    writeFileSync(join(ws, 'sub/new'), '1');
    await eventually('created', () => changesOf(fixture).includes('created sub/new'));
    appendFileSync(join(ws, 'sub/new'), '2');
    await eventually('modified', () => changesOf(fixture).includes('modified sub/new'));
    renameSync(join(ws, 'sub/new'), join(ws, 'moved'));
    await eventually('renamed', () => changesOf(fixture).includes('renamed sub/new > moved'));
    mkdirSync(join(ws, 'deep/deeper'), { recursive: true });
    writeFileSync(join(ws, 'deep/deeper/file'), '');
    await eventually('below', () => changesOf(fixture).includes('created deep/deeper/file'));
    rmSync(join(ws, 'deep'), { recursive: true });
    await eventually('removed', () => changesOf(fixture).includes('removed deep'));
    renameSync(join(ws, 'sub'), join(ws, 'other'));
    await eventually('directory renamed', () => changesOf(fixture).includes('renamed sub > other'));
    writeFileSync(join(ws, 'other/late'), '');
    await eventually('in the renamed one', () => changesOf(fixture).includes('created other/late'));
    expect(hasOverflow(fixture)).toBe(false);
  });

  it('reports requests of its own session, and paths in the form that was asked in', async () => {
    const { client, ws } = await setUpSandboxed();
    const sandbox = workspaceOnly(ws);
    await client.call('fs/watch', { watchId: 'w', path: `file://${ws}`, sandbox });
    await client.call('fs/writeFile', { path: join(ws, 'x'), dataBase64: '', sandbox });
    await eventually('the report', () =>
      notifications(client).some(({ changes }) => changes.some(({ path }) => path === `file://${ws}/x`)),
    );
  });

  it('follows a single file through its replacement', async () => {
    const fixture = await watching(nothing, { path: 'inside', recursive: false });
    const { ws } = fixture;
    writeFileSync(join(ws, 'other'), '2');
    renameSync(join(ws, 'other'), join(ws, 'inside'));
    await eventually('replacement', () => changesOf(fixture).includes('created inside'));
    appendFileSync(join(ws, 'inside'), '3');
    await eventually('modification', () => changesOf(fixture).includes('modified inside'));
    expect(changesOf(fixture).every((change) => change.endsWith(' inside'))).toBe(true);
  });

  it('watches a file whose directory may not be read', async () => {
    const only: Policy = (ws) => policyOf(ws, [[join(ws, 'inside'), 'read']]);
    const fixture = await watching(nothing, { path: 'inside', recursive: false, policy: only });
    const { ws } = fixture;
    appendFileSync(join(ws, 'inside'), '1');
    await eventually('modification', () => changesOf(fixture).includes('modified inside'));
    writeFileSync(join(ws, 'hidden'), '');
    writeFileSync(join(ws, 'fresh'), 'fresh');
    renameSync(join(ws, 'fresh'), join(ws, 'inside'));
    await eventually('the replacement is told', () => hasOverflow(fixture));
    const seen = changesOf(fixture).length;
    appendFileSync(join(ws, 'inside'), '2');
    await eventually('the new file is watched', () => changesOf(fixture).length > seen);
    expect(changesOf(fixture).every((change) => change.endsWith(' inside'))).toBe(true);
  });

  it('answers as other file requests do', async () => {
    const { client, ws, outside } = await setUpSandboxed();
    const policy = (denied: string) =>
      policyOf(ws, [
        [ws, 'write'],
        [denied, 'deny'],
      ]);
    mkdirSync(join(ws, 'private'));
    symlinkSync(outside, join(ws, 'out'));
    const refused = async (path: string, sandbox: object = policy(join(ws, 'private'))) => {
      const other = await client.refusal('fs/getMetadata', { path, sandbox });
      const own = await client.refusal('fs/watch', { watchId: 'w', path, sandbox });
      expect(own).toEqual(other);
      return own.code;
    };
    expect(await refused(join(ws, 'missing'))).toBe(-32004);
    expect(await refused(outside)).toBe(-32004);
    expect(await refused(join(outside, 'missing'))).toBe(-32004);
    expect(await refused(join(ws, 'out'))).toBe(-32004);
    expect(await refused(join(ws, 'private'))).toBe(-32600);
    expect(await refused(join(ws, 'private/x'))).toBe(-32600);
    const senseless = { watchId: 'w', path: ws, sandbox: { permissions: { type: 'managed' } } };
    expect((await client.refusal('fs/watch', senseless)).code).toBe(-32602);
  });

  it('is bounded like every other', async () => {
    const { client, ws } = await setUpSandboxed({ fs: { maxWatches: 2, maxWatchedDirectories: 3 } });
    const sandbox = workspaceOnly(ws);
    const refused = async (watchId: string, recursive = false) =>
      (await client.refusal('fs/watch', { watchId, path: ws, recursive, sandbox })).message;
    await client.call('fs/watch', { watchId: 'w', path: ws, sandbox });
    expect(await refused('w')).toBe('watch `w` already exists');
    mkdirSync(join(ws, 'a/b/c'), { recursive: true });
    expect(await refused('wide', true)).toBe('a watch covers at most 3 directories');
    await client.call('fs/watch', { watchId: 'x', path: ws });
    expect(await refused('y')).toBe('at most 2 watches may be set per connection');
  });

  it('ends when it is taken back, and its processes with the session', async () => {
    const fixture = await watching(nothing);
    const { client, ws, connect } = fixture;
    const other = await connect();
    await other.call('fs/watch', { watchId: 'w', path: ws, sandbox: workspaceOnly(ws) });
    await fence(fixture);
    expect(childrenNamed('--watch')).toHaveLength(2);
    expect(await client.call('fs/unwatch', { watchId: 'w' })).toEqual({});
    expect(await client.call('fs/unwatch', { watchId: 'w' })).toEqual({});
    await eventually('one relay is left', () => childrenNamed('--watch').length === 1);
    const seen = changesOf(fixture).length;
    writeFileSync(join(ws, 'after'), '');
    await eventually('the other one goes on', () =>
      notifications(other).some(({ changes }) => changes.some(({ path }) => path === join(ws, 'after'))),
    );
    expect(changesOf(fixture)).toHaveLength(seen);
    other.peer.close();
    await eventually('the other is gone', () => childrenNamed('--watch').length === 0);
    await eventually('its helper too', () => helperPids().length === 1);
  });

  it('holds its helper when that would be ended for being idle', async () => {
    const fixture = await setUpSandboxed({ fs: { fileHelperIdleMs: 100 } });
    const { client, ws } = fixture;
    await client.call('fs/watch', { watchId: 'w', path: ws, sandbox: workspaceOnly(ws) });
    await new Promise((resolve) => setTimeout(resolve, 400));
    await fence(fixture);
    expect(hasOverflow(fixture)).toBe(false);
    await client.call('fs/unwatch', { watchId: 'w' });
    await eventually('the helper is gone', () => helperPids().length === 0);
  });
});
