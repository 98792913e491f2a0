// `fs/watch` under a restriction, when its processes die or its directories are replaced.
import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../fs/support/fs-fixture.js';
import { childrenNamed, helperPids } from './support/helper-processes.js';
import {
  policyOf,
  readEverything,
  setUpSandboxed,
  text,
  workspaceOnly,
} from './support/sandboxed-fs-fixture.js';
import { changesOf, fence, hasOverflow, nothing, watching } from './support/watch-fixture.js';

describe('a sandboxed watch whose ground shakes', () => {
  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'goes on after its helper got %s, with an overflow',
    async (signal) => {
      const fixture = await setUpSandboxed({ fs: { fileHelperTimeoutMs: 600 } });
      const { client, ws } = fixture;
      mkdirSync(join(ws, 'sub'));
      await client.call('fs/watch', { watchId: 'w', path: ws, recursive: true, sandbox: workspaceOnly(ws) });
      await fence(fixture);
      for (const pid of helperPids()) process.kill(pid, signal);
      await eventually('overflow', () => hasOverflow(fixture));
      writeFileSync(join(ws, 'sub/again'), '');
      await eventually('changes again', () => changesOf(fixture).includes('created sub/again'));
    },
  );

  it('goes on after its relay was killed, with an overflow', async () => {
    const fixture = await watching((ws) => mkdirSync(join(ws, 'sub')));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    for (const pid of childrenNamed('--watch')) process.kill(pid, 'SIGKILL');
    await eventually('overflow', () => hasOverflow(fixture));
    await eventually('changes again', () => {
      writeFileSync(join(fixture.ws, 'sub/again'), `${Math.random()}`);
      return changesOf(fixture).some((change) => change.endsWith('sub/again'));
    });
  });

  it('turns to the directory that took the place of its own', async () => {
    const fixture = await watching(nothing);
    const { client, ws } = fixture;
    renameSync(ws, `${ws}-old`);
    // The watch does not care what becomes of the old one.
    writeFileSync(join(`${ws}-old`, 'n1'), '');
    mkdirSync(ws);
    await eventually('overflow', () => hasOverflow(fixture));
    await fence(fixture);
    writeFileSync(join(`${ws}-old`, 'n2'), '');
    await fence(fixture, 'second-fence');
    expect(JSON.stringify(client.notifications)).not.toMatch(/n1|n2/);
    await client.call('fs/unwatch', { watchId: 'w' });
  });

  it('says that its directory is gone, and comes back with it', async () => {
    const fixture = await watching(nothing);
    const { ws } = fixture;
    rmSync(ws, { recursive: true });
    await eventually('removal', () => changesOf(fixture).includes('removed .'));
    mkdirSync(ws);
    await eventually('overflow', () => hasOverflow(fixture));
    await eventually('changes again', () => {
      if (existsSync(ws)) writeFileSync(join(ws, 'again'), `${Math.random()}`);
      return changesOf(fixture).some((change) => change.endsWith(' again'));
    });
  });

  it('says nothing of a denied place that comes and goes', async () => {
    const fixture = await watching((ws) => mkdirSync(join(ws, 'sub')), {
      policy: (ws) =>
        policyOf(ws, [
          [ws, 'write'],
          [join(ws, 'sub/denied'), 'deny'],
        ]),
    });
    const { client, ws } = fixture;
    for (let round = 0; round < 3; round += 1) {
      mkdirSync(join(ws, 'sub/denied'));
      const request = { path: join(ws, 'inside'), sandbox: workspaceOnly(ws) };
      expect(text(await client.call('fs/readFile', request))).toBe('inside');
      rmdirSync(join(ws, 'sub/denied'));
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    await fence(fixture);
    expect(changesOf(fixture)).toEqual(['created fence']);
    expect(hasOverflow(fixture)).toBe(false);
  });

  it('reports a storm whole, or as an overflow', async () => {
    const fixture = await watching((ws) => mkdirSync(join(ws, 'sub')), {
      policy: readEverything,
      path: 'sub',
    });
    const count = 20_000;
    for (let n = 0; n < count; n += 1) writeFileSync(join(fixture.ws, 'sub', `${n}`), '');
    await eventually(
      'all or overflow',
      () =>
        hasOverflow(fixture) ||
        changesOf(fixture).filter((change) => change.startsWith('created')).length === count,
    );
  });
});
